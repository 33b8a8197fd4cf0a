import { findTestsByImports } from "./tests-by-imports.ts";

/** The tests of the service that use a database: the others do the same on every one. @param root the folder of the project */
export function findDatabaseTests(root: string): string[] {
  return findTestsByImports(
    root,
    ["server"],
    ({ from }) => from.startsWith("server/testing/database/") || null,
  );
}
