import { resolve } from "node:path";
import type { Plugin } from "vitest/config";
import type { VitestPluginContext } from "vitest/node";
import { type Plant, plant } from "./planted-bug.ts";

const root = resolve(import.meta.dirname, "../../..");

/** Puts the bug into its file when vitest loads it. */
export function plantingPlugin(bug: Plant): Plugin {
  const file = resolve(root, bug.file);
  return {
    name: "planted-bug",
    enforce: "pre",
    transform: (source, id) => (id.split("?", 1)[0] === file ? plant(bug, source) : null),
    // vitest keeps what it has loaded for later runs, whatever a plugin has made of it.
    configureVitest({ defineCacheKeyGenerator }: VitestPluginContext) {
      defineCacheKeyGenerator(({ id }) => (id.split("?", 1)[0] === file ? false : undefined));
    },
  };
}
