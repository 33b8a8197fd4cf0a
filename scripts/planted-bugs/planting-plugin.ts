import { resolve } from "node:path";
import type { Plugin } from "vitest/config";
import { type PlantedBug, plant } from "./planted-bugs.ts";

const root = resolve(import.meta.dirname, "../..");

/** Puts the bug into its file when vitest loads it. */
export function plantingPlugin(bug: PlantedBug): Plugin {
  const file = resolve(root, bug.file);
  return {
    name: "planted-bug",
    enforce: "pre",
    transform: (source, id) => (id.split("?", 1)[0] === file ? plant(bug, source) : null),
  };
}
