import { readFile } from "node:fs/promises";
import { join } from "node:path";

const READMES = ["../README.md", "../../README.md"];

/** The buyer's program, as it stands in both READMEs: the package's and the project's. */
export async function readmeProgram(): Promise<string> {
  const programs = await Promise.all(READMES.map(programIn));
  const [program] = programs;
  if (program === undefined || new Set(programs).size !== 1) {
    throw new Error("The READMEs do not have the same buyer's program.");
  }
  return program;
}

async function programIn(file: string): Promise<string | undefined> {
  const readme = await readFile(join(import.meta.dirname, file), "utf8");
  return /<!-- tested: buyer-program -->\n```js\n(.*?)```/s.exec(readme)?.[1];
}
