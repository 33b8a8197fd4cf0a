import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { interfaceNames, redocly, specFolder } from "./contract/redocly.ts";

/** Checks every interface of spec/ against spec/redocly.yaml, prints what is wrong, and says whether all is well. */
export async function lintSpec(): Promise<boolean> {
  const documents = interfaceNames().map((name) => `${name}/openapi.yaml`);
  const { ok, output, messages } = await redocly("lint", ...documents, "--format", "stylish");
  if (!ok) console.error(`${output}${messages}`);
  const orphans = filesWithoutReference(documents);
  for (const file of orphans) console.error(`spec/${file} belongs to no interface: no file refers to it.`);
  return ok && orphans.length === 0;
}

/** Files that neither Redocly nor a reader of the bundled document would ever see. */
function filesWithoutReference(documents: string[]): string[] {
  const files = globSync("*/**/*.yaml", { cwd: specFolder });
  const references = files.flatMap((file) => {
    const text = readFileSync(join(specFolder, file), "utf8");
    return [...text.matchAll(/\$ref: ['"]?([^#'"\s]+)/g)].map(([, target = ""]) =>
      normalize(join(dirname(file), target)),
    );
  });
  const known = new Set([...documents, ...references]);
  return files.filter((file) => !known.has(file)).sort();
}

if (import.meta.main) process.exitCode = (await lintSpec()) ? 0 : 1;
