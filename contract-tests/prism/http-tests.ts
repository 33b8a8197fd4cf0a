import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const STARTERS = /\b(?:startTestShop|startTestAiProxy|startServerProcess)\b/;
/** Where those are; what else is there starts nothing. */
const STARTERS_FILES = /^server\/testing\/(?:test-shop|test-proxy|server-process)\.ts$/;

/**
 * The test files that speak HTTP to the service: those that import what starts one, by themselves or through other
 * modules.
 * @param root the folder of the project
 * @param folders those in it that have tests
 * @returns their paths from `root`, without the long tests
 */
export function findHttpTests(root: string, folders: readonly string[]): string[] {
  const starts = new Map<string, boolean>();
  const startsService = (file: string): boolean => {
    const known = starts.get(file);
    if (known !== undefined) return known;
    // Until it is known, so that two modules that import each other end.
    starts.set(file, false);
    const found = importsOf(root, file).some(
      ({ names, from }) => STARTERS.test(names) || (!STARTERS_FILES.test(from) && startsService(from)),
    );
    starts.set(file, found);
    return found;
  };
  return globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root },
  )
    .filter((file) => !/\.(?:faults|cluster)\.test\.ts$/.test(file) && startsService(file))
    .sort();
}

function importsOf(root: string, file: string): { names: string; from: string }[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/^import ([^;]+?) from "(\.[^"]+\.ts)";$/gm)].map(([, names = "", path = ""]) => ({
    names,
    from: join(dirname(file), path),
  }));
}
