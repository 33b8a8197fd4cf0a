import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { type Measure, measure } from "./measure.ts";
import { consoleFolder, ENTRIES, viteOptions } from "./vite-options.ts";

const root = resolve(consoleFolder, "../..");

/** Where the pages are put that the service serves. */
export const builtFolder = join(root, ".console");

/** What is known of a build. */
interface BuildRecord {
  /** Of all that it was made from. */
  readonly sourceHash: string;
  /** The names of its files in `assets/`. */
  readonly assets: readonly string[];
}

/** Whether the pages in the folder are not those of the sources. */
export function isOutdated(folder = builtFolder): boolean {
  return recordIn(folder)?.sourceHash !== sourceHash();
}

/**
 * Builds the pages; who asks for them meanwhile gets the ones before. The files of the build before stay, for those who have one of
 * its pages open and go on to another.
 * @returns how large they are
 * @throws when one is larger than it may be; nothing is changed then
 */
export async function buildConsole(folder = builtFolder): Promise<readonly Measure[]> {
  // It takes as long to load as the pages to build, and most starts have nothing to build.
  const { build } = await import("vite");
  const hash = sourceHash();
  const fresh = join(folder, `fresh-${process.pid}`);
  try {
    const built = await build(viteOptions(fresh));
    if (!("output" in built)) throw new Error("The pages were built in another way than expected.");
    const measures = measure(built.output);
    refuseTooLarge(measures);
    replace(folder, fresh, hash);
    return measures;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function refuseTooLarge(measures: readonly Measure[]): void {
  const tooLarge = measures.filter(({ bytes, maxBytes }) => bytes > maxBytes);
  if (tooLarge.length === 0) return;
  const words = tooLarge.map(({ name, bytes, maxBytes }) => `${name} has ${bytes} bytes of ${maxBytes}`);
  throw new Error(`Too large, compressed: ${words.join("; ")}.`);
}

/** Puts what was built where it is served, the pages last, since they name the rest. */
function replace(folder: string, fresh: string, sourceHash: string): void {
  const before = recordIn(folder)?.assets ?? [];
  const assets = globSync("assets/*", { cwd: fresh }).map((file) => basename(file));
  mkdirSync(join(folder, "assets"), { recursive: true });
  for (const name of assets) renameSync(join(fresh, "assets", name), join(folder, "assets", name));
  for (const name of ENTRIES) {
    mkdirSync(join(folder, name), { recursive: true });
    renameSync(join(fresh, name, "index.html"), join(folder, name, "index.html"));
  }
  const record: BuildRecord = { sourceHash, assets };
  writeFileSync(join(folder, "build.json"), `${JSON.stringify(record, null, 2)}\n`);
  for (const name of globSync("*", { cwd: join(folder, "assets") }))
    if (!assets.includes(name) && !before.includes(name)) rmSync(join(folder, "assets", name));
}

function recordIn(folder: string): BuildRecord | null {
  const isWhole = ENTRIES.every((name) => existsSync(join(folder, name, "index.html")));
  if (!isWhole) return null;
  try {
    return JSON.parse(readFileSync(join(folder, "build.json"), "utf8"));
  } catch {
    return null;
  }
}

/** Of everything that the pages are made from: their own files, what they import from beside them, the packages' versions. */
function sourceHash(): string {
  const hash = createHash("sha256");
  const own = globSync("**/*.{ts,tsx,css,html,svg}", { cwd: consoleFolder })
    .filter((file) => !/\.test\.ts$|^testing\//.test(file))
    .map((file) => join(consoleFolder, file));
  for (const file of [...own.toSorted(), join(root, "package-lock.json")]) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}
