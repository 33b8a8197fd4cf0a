import { globSync } from "node:fs";
import { dirname, join } from "node:path";

/** Names of the interfaces: the folders of spec/ that hold an openapi.yaml. */
export function interfaceNames(): string[] {
  return globSync("*/openapi.yaml", { cwd: join(import.meta.dirname, "..") })
    .map(dirname)
    .sort();
}
