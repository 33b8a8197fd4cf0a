// Runs a script of this project: `node scripts/run.mjs SCRIPT [ARGUMENT …]`.
// Plain JavaScript for Node 20 without any package, because it is what installs the packages and finds Node 24.
import { delimiter, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { continueAs, findNode } from "../server/setup/node-runtime.mjs";
import { ensurePackages } from "../server/setup/packages.mjs";
import { serviceNodeOptions } from "../server/setup/service-node-options.mjs";

/** What a production installation, without the development packages, can run. */
const productionScripts = new Set([
  "scripts/start.ts",
  "scripts/operator.ts",
  "scripts/migrate.ts",
  "scripts/build.ts",
]);

/** None of the tools may report home or look for newer versions of itself. */
const toolSettings = {
  DO_NOT_TRACK: "1",
  NO_UPDATE_NOTIFIER: "1",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  REDOCLY_TELEMETRY: "off",
};

/** What works on the books, with a bounded heap. */
const boundedScripts = new Set(["scripts/start.ts", "scripts/operator.ts"]);

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const [script, ...args] = process.argv.slice(2);

try {
  if (script === undefined) throw new Error("Usage: node scripts/run.mjs SCRIPT [ARGUMENT …]");
  await ensurePackages(root, {
    needsDevelopmentPackages: !productionScripts.has(script),
    onProgress: (line) => console.error(line),
  });
  const node = findNode(root);
  continueAs(node, [resolve(root, script), ...args], {
    ...process.env,
    ...toolSettings,
    ...(boundedScripts.has(script) ? { NODE_OPTIONS: nodeOptions() } : {}),
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`,
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** What the user has set comes last, and so wins. */
function nodeOptions() {
  return [...serviceNodeOptions, process.env.NODE_OPTIONS].filter(Boolean).join(" ");
}
