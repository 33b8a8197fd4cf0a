import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { generate } from "../../spec/tools/generate.ts";

const generatedFolder = resolve(import.meta.dirname, "../../generated");

/** Compares generated/ with what the spec gives now: every file that changed, is missing or does not belong there. */
async function findDrift(): Promise<string[]> {
  const fresh = mkdtempSync(join(tmpdir(), "shop-generated-"));
  try {
    await generate(fresh);
    const expected = readFiles(fresh);
    const actual = readFiles(generatedFolder);
    const names = [...new Set([...expected.keys(), ...actual.keys()])].sort();
    return names.flatMap((name) => {
      if (!expected.has(name)) return `generated/${name} is generated from nothing`;
      if (!actual.has(name)) return `generated/${name} is missing`;
      return actual.get(name) === expected.get(name) ? [] : `generated/${name} differs from what spec/ gives`;
    });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function readFiles(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

const drift = await findDrift();
if (drift.length > 0) {
  console.error(`${drift.join("\n")}\nRun "npm run generate" and commit the result.`);
  process.exitCode = 1;
}
