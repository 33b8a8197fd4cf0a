import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a module takes from another one of the project. */
export interface Import {
  /** As they stand in the statement. */
  readonly names: string;
  /** The other module, from the project's folder. */
  readonly from: string;
}

/**
 * The test files that import something, by themselves or through other modules.
 * @param root the folder of the project
 * @param folders those in it that have tests
 * @param isIt whether an import is of that; null where the module that it is from may have it
 * @returns their paths from `root`, without the long tests
 */
export function findTestsByImports(
  root: string,
  folders: readonly string[],
  isIt: (it: Import) => boolean | null,
): string[] {
  const known = new Map<string, boolean>();
  const has = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    // Until it is known, so that two modules that import each other end.
    known.set(file, false);
    const found = importsOf(root, file).some((it) => isIt(it) ?? has(it.from));
    known.set(file, found);
    return found;
  };
  return globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root },
  )
    .filter((file) => !/\.(?:faults|cluster)\.test\.ts$/.test(file) && has(file))
    .sort();
}

function importsOf(root: string, file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/^(?:import|export) ([^;]+?) from "(\.[^"]+\.ts)";$/gm)].map(
    ([, names = "", path = ""]) => ({ names, from: join(dirname(file), path) }),
  );
}
