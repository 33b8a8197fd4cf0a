// Which part of the project may import which, for dependency-cruiser.
import { globSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** The folders of the interfaces that the service has. */
const interfaces = globSync("server/interfaces/*/", { cwd: root }).map((folder) => basename(folder));

/** Every operation of an interface has a handler file of its name: createOrder is in create-order.ts. */
const operations = Object.fromEntries(
  interfaces.map((name) => {
    const { paths } = JSON.parse(readFileSync(join(root, "generated", name, "openapi.json"), "utf8"));
    return [
      name,
      Object.values(paths)
        .flatMap((path) => Object.values(path))
        .flatMap(({ operationId }) => operationId ?? [])
        .map((id) => id.replace(/[A-Z]/g, (/** @type {string} */ letter) => `-${letter.toLowerCase()}`)),
    ];
  }),
);

const tests = "[.]test[.]ts$|^server/testing/|^client/console/testing/";
/** The folders of the business concepts: orders, stock, ledger and so on. */
const concepts =
  "^server/(?!http/|interfaces/|database/|operator/|testing/|simulators/|embedded-database/|setup/|demo/)[^/]+/";
/** What only a demo shop or a development machine needs: fakes of what is outside, and set-up. */
const surroundings = "^server/(?:simulators|embedded-database|setup|demo)/";
const converters = "^server/(?:suppliers/convert|interfaces/[^/]+/convert-[^/]+)[.]ts$";
const stores = "^server/[^/]+/[^/]*store[.]ts$";
/** What is done with all concepts at once. */
const wholes = "^server/(?:audit|backup|encryption|losses)/";
/** Above every concept: they wire and start what the others are. */
const compose = "^server/compose(?:-http)?[.]ts$";
const programs = "^server/(?:main[.]ts$|operator/|demo/)";
const productionScripts = "^scripts/(?:start|operator|migrate|build|run)[.]";

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
      "concepts-know-no-http",
      "Rules, use cases and stores do not know how they are called: only server/interfaces/ sees the contract.",
      { path: concepts, pathNot: tests },
      {
        path: [
          "^generated/",
          "^server/http/",
          "^server/interfaces/",
          npmPackages("express", "express-openapi-validator"),
        ],
      },
    ),
    rule(
      "http-knows-no-interface",
      "The engine serves any interface: it knows none of them, no concept and no generated type.",
      { path: "^server/http/", pathNot: tests },
      { path: ["^generated/", "^server/interfaces/", concepts] },
    ),
    rule(
      "interfaces-stand-side-by-side",
      "An interface knows no other; what several need stands beside them in server/interfaces/.",
      { path: "^server/interfaces/([^/]+)/", pathNot: tests },
      { path: "^server/interfaces/[^/]+/", pathNot: "^server/interfaces/$1/" },
    ),
    rule(
      "one-contract-per-interface",
      "An interface speaks its own document and no other.",
      { path: "^server/interfaces/([^/]+)/", pathNot: tests },
      { path: "^generated/", pathNot: "^generated/$1/" },
    ),
    rule(
      "wholes-are-above-their-parts",
      "What is done with the data of all concepts at once stands above them, and none of them knows it.",
      { path: concepts, pathNot: [wholes, tests] },
      { path: wholes },
    ),
    rule(
      "sql-only-in-stores",
      "Database drivers are used by stores and server/database alone.",
      { path: "^server/", pathNot: [stores, "^server/database/", "^server/embedded-database/", tests] },
      { path: npmPackages("knex", "mysql2") },
    ),
    rule(
      "handlers-call-use-cases",
      "Interfaces and the engine under them call use cases, never stores.",
      { path: ["^server/interfaces/", "^server/http/"], pathNot: tests },
      { path: [stores, "^server/database/"] },
    ),
    rule(
      "converters-only-translate",
      "Converters translate and call nothing.",
      { path: converters },
      { path: [stores, "^server/database/"] },
    ),
    rule(
      "compose-is-above",
      "server/compose.ts and compose-http.ts are above all that they wire, which does not know them, not even as a type. The " +
        "programs of server/ (main, operator, demo) are made of what they give.",
      { path: "^server/", pathNot: [compose, programs, tests] },
      { path: compose },
    ),
    rule(
      "programs-are-above",
      "Nothing below the programs of the service knows them.",
      { path: "^server/", pathNot: ["^server/operator/", tests] },
      { path: ["^server/main[.]ts$", "^server/operator/"] },
    ),
    rule(
      "client-stands-alone",
      "What a buyer imports never reaches into the server.",
      { path: "^client/", pathNot: tests },
      { path: "^server/" },
    ),
    rule(
      "pages-stand-alone",
      "What buyers import knows nothing of the web pages, and goes without their packages.",
      { path: "^client/", pathNot: ["^client/console/", tests] },
      {
        path: [
          "^client/console/",
          npmPackages("react", "react-dom", "wouter", "vite", "@base-ui", "@tanstack"),
        ],
      },
    ),
    rule(
      "parts-of-pages",
      "Of the web pages, api/ and ui/ know no page and no session, and session/ knows no page.",
      { path: "^client/console/(?:api|ui|session)/", pathNot: tests },
      { path: ["^client/console/(?:account|operator|build)/"] },
    ),
    rule(
      "pages-side-by-side",
      "A page knows no other; what several need is in ui/, in api/ or beside the folders of the pages.",
      { path: "^client/console/account/([^/]+)/", pathNot: tests },
      { path: "^client/console/account/[^/]+/", pathNot: "^client/console/account/$1/" },
    ),
    rule(
      "pages-run-in-browsers",
      "The pages run in browsers: they know nothing of Node.",
      { path: "^client/console/", pathNot: ["^client/console/build/", tests] },
      { dependencyTypes: ["core"] },
    ),
    // From here to "tests-are-no-equipment": commands → contract tests → test equipment → server, simulators and client.
    rule(
      "commands-are-above",
      "Commands stand above everything; what two of them share has a room below.",
      { pathNot: "^scripts/" },
      { path: "^scripts/" },
    ),
    rule(
      "contract-tests-are-above",
      "Only commands use the contract tests, and the tests of the web pages, which the mock answers; what other tests need of them is " +
        "test equipment.",
      { pathNot: ["^contract-tests/", "^scripts/", "^client/console/testing/"] },
      { path: "^contract-tests/" },
    ),
    rule(
      "testing-only-in-tests",
      "Test equipment is no part of what runs in production.",
      { path: ["^server/", "^client/", productionScripts], pathNot: tests },
      { path: "^server/testing/" },
    ),
    rule(
      "tests-are-no-equipment",
      "What tests share is in server/testing or client/testing, never in a test.",
      {},
      { path: "[.]test[.]ts$" },
    ),
    rule(
      "spec-tools-for-designers",
      "Server and client take the contract from generated/ and run without the tools of spec/.",
      { path: ["^server/", "^client/"] },
      { path: "^spec/" },
    ),
    rule(
      "spec-stands-alone",
      "The tools of spec/ make everything else, and import nothing of it.",
      { path: "^spec/" },
      { path: "^(?:generated|server|client|contract-tests|scripts)/" },
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
  required: Object.entries(operations).flatMap(([name, files]) =>
    files.map((file) => ({
      name: `handler-of-${name}-${file}`,
      comment: `The operation's handler is server/interfaces/${name}/${file}.ts, and handlers.ts has it.`,
      severity: "error",
      module: { path: `^server/interfaces/${name}/handlers[.]ts$` },
      to: { path: `^server/interfaces/${name}/${file}[.]ts$` },
    })),
  ),
  options: {
    doNotFollow: { path: "node_modules" },
    // Their files import what is there once they are in their places: contract-tests/made-up-interface.test.ts and
    // contract-tests/generated-clients/generated-clients.test.ts.
    exclude: { path: "^contract-tests/(?:made-up-interface|generated-clients/programs)/" },
    moduleSystems: ["es6"],
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".d.ts"],
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
