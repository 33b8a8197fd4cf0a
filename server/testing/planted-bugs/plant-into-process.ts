// For `node --import`: puts the bug that PLANTED_BUG names into its file when a program outside of vitest loads it.
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { plant } from "./planted-bug.ts";
import { plantedBug } from "./planted-bugs.ts";

const name = process.env.PLANTED_BUG;
if (name) {
  const bug = plantedBug(name);
  const file = pathToFileURL(resolve(import.meta.dirname, "../../..", bug.file)).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      return url === file ? { ...loaded, source: plant(bug, String(loaded.source)) } : loaded;
    },
  });
}
