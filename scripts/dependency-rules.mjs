// Which part of the project may import which, for dependency-cruiser.
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Every operation of an interface has a handler file of its name: createOrder is in create-order.ts. */
const operations = globSync("generated/*/openapi.json", { cwd: root })
  .flatMap((file) => Object.values(JSON.parse(readFileSync(join(root, file), "utf8")).paths))
  .flatMap((path) => Object.values(path))
  .flatMap(({ operationId }) => operationId ?? [])
  .map((name) => name.replace(/[A-Z]/g, (/** @type {string} */ letter) => `-${letter.toLowerCase()}`));

const tests = "[.]test[.]ts$|^server/testing/";
/** The folders of the business concepts: orders, stock, ledger and so on. */
const concepts =
  "^server/(?!http/|database/|operator/|testing/|simulators/|embedded-database/|setup/|demo/)[^/]+/";
/** What only a demo shop or a development machine needs: fakes of what is outside, and set-up. */
const surroundings = "^server/(?:simulators|embedded-database|setup|demo)/";
const handlers = `^server/[^/]+/(?:${operations.join("|")})[.]ts$`;
const converters = "^server/[^/]+/[^/]*convert[.]ts$";
const stores = "^server/[^/]+/[^/]*store[.]ts$";
const productionScripts = "^scripts/(?:start|operator|migrate|run)[.]";

/** @param {...string} names */
const npmPackages = (...names) => `^node_modules/(?:@types/)?(?:${names.join("|")})/`;

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    rule(
      "no-cycles",
      "Modules that import each other cannot be understood one at a time.",
      {},
      { circular: true },
    ),
    rule("resolvable", "The imported module does not exist.", {}, { couldNotResolve: true }),
    rule(
      "domain-knows-no-http",
      "Rules, use cases and stores do not know how they are called: only handlers and converters see the contract.",
      { path: concepts, pathNot: [handlers, converters, tests] },
      { path: ["^generated/", "^server/http/", npmPackages("express", "express-openapi-validator")] },
    ),
    rule(
      "sql-only-in-stores",
      "Database drivers are used by stores and server/database alone.",
      { path: "^server/", pathNot: [stores, "^server/database/", "^server/embedded-database/", tests] },
      { path: npmPackages("knex", "mysql2") },
    ),
    rule(
      "handlers-call-use-cases",
      "Handlers and the HTTP layer call use cases, never stores.",
      { path: [handlers, "^server/http/"], pathNot: tests },
      { path: stores },
    ),
    rule(
      "converters-only-translate",
      "Converters translate and nothing else.",
      { path: converters },
      { path: [stores, "^server/http/", "^server/database/"] },
    ),
    rule(
      "only-compose-wires",
      "server/compose.ts is imported by what starts programs, and by tests.",
      { path: "^server/", pathNot: ["^server/main[.]ts$", "^server/operator/", "^server/demo/", tests] },
      { path: "^server/compose[.]ts$", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "compose-is-above",
      "Nothing below server/compose.ts knows the programs that use it.",
      { path: "^server/", pathNot: ["^server/operator/", tests] },
      { path: ["^server/main[.]ts$", "^server/operator/"] },
    ),
    rule(
      "client-stands-alone",
      "What a buyer imports never reaches into the server or its tools.",
      { path: "^client/", pathNot: tests },
      { path: ["^server/", "^scripts/", "^contract-tests/"] },
    ),
    rule(
      "server-needs-no-tools",
      "The server runs without scripts/ and contract-tests/.",
      { path: "^server/", pathNot: tests },
      { path: ["^scripts/", "^contract-tests/"] },
    ),
    rule(
      "testing-only-in-tests",
      "server/testing is for tests.",
      { pathNot: [tests, "^contract-tests/", "^scripts/bench/", "^scripts/(?:vitest|plant-faults)[.]"] },
      { path: "^server/testing/" },
    ),
    rule(
      "no-development-packages",
      "A production installation leaves the development packages out.",
      { path: ["^server/", productionScripts], pathNot: tests },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "service-needs-no-surroundings",
      "The service itself runs without the simulators, the embedded database, set-up and the demo shop.",
      { path: "^server/", pathNot: [surroundings, tests] },
      { path: surroundings },
    ),
    rule("generated-stands-alone", "Generated code imports nothing.", { path: "^generated/" }, { path: "." }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    moduleSystems: ["es6"],
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types", "default"],
      extensions: [".ts", ".mjs", ".js", ".json", ".d.ts"],
    },
  },
};

/**
 * @param {string} name
 * @param {string} comment
 * @param {object} from
 * @param {object} to
 * @returns {import("dependency-cruiser").IForbiddenRuleType}
 */
function rule(name, comment, from, to) {
  return { name, comment, severity: "error", from, to };
}
