// `npm run build`: builds the web pages that the service serves, into .console/.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildConsole, builtFolder, isOutdated } from "../client/console/build/build-console.ts";
import { measureTable } from "../client/console/build/measure.ts";
import { withFileLock } from "../server/setup/file-lock.mjs";

const help = `Builds the web pages that the service serves, into .console/, and says how large they are.

  npm run build -- [--if-changed]

  --if-changed   does nothing when their sources have not changed since the last time`;

// Whatever the environment is for, pages are built as they are served.
process.env.NODE_ENV = "production";

const { values } = parseArgs({
  options: {
    "if-changed": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(help);
else await build(values["if-changed"]);

async function build(onlyIfChanged: boolean): Promise<void> {
  try {
    await withFileLock(resolve(import.meta.dirname, "../.data/build.lock"), async () => {
      if (onlyIfChanged && !isOutdated()) return;
      const measures = await buildConsole();
      console.log(`The pages are in ${builtFolder}.\n\n${measureTable(measures)}`);
    });
  } catch (error) {
    console.error(`The pages could not be built: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
