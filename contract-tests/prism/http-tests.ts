import { findTestsByImports } from "../../server/testing/vitest/tests-by-imports.ts";

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
  return findTestsByImports(root, folders, ({ names, from }) => {
    if (STARTERS.test(names)) return true;
    return STARTERS_FILES.test(from) ? false : null;
  });
}
