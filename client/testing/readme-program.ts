import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The buyer's program of the README, as it stands there. */
export async function readmeProgram(): Promise<string> {
  const readme = await readFile(join(import.meta.dirname, "../README.md"), "utf8");
  const program = /<!-- tested: buyer-program -->\n```js\n(.*?)```/s.exec(readme)?.[1];
  if (program === undefined) throw new Error("The README has no buyer's program.");
  return program;
}
