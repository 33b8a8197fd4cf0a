import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { addCounts, countModule, countSkippedAsFailed } from "./test-counts.ts";

/**
 * A vitest reporter that writes the run's counts to the file that COUNT_REPORTER_FILE names. A test that is skipped proves
 * nothing and fails the run, unless tests were chosen by their names.
 */
export default class CountReporter implements Reporter {
  #vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = addCounts([
      ...modules.map(countModule),
      { passed: 0, failed: unhandledErrors.length, skipped: 0 },
    ]);
    const areChosenByName = this.#vitest?.config.testNamePattern !== undefined;
    if (!areChosenByName) for (const test of modules.flatMap(skippedIn)) console.error(test);
    const told = areChosenByName ? counts : countSkippedAsFailed(counts);
    if (process.env.COUNT_REPORTER_FILE) writeFileSync(process.env.COUNT_REPORTER_FILE, JSON.stringify(told));
  }
}

/** What is skipped because something before it failed is told by that. */
function skippedIn(module: TestModule): string[] {
  if (!module.ok()) return [];
  const skipped = [...module.children.allTests()].filter((test) => test.result().state === "skipped");
  const file = relative(process.cwd(), module.moduleId);
  return skipped.map(
    ({ fullName }) => `${file} skips a test, which fails the run: ${fullName}. Run it, or remove it.`,
  );
}
