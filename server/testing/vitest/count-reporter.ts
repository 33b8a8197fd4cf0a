import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { addCounts, countExcused, countModule, countSkippedAsFailed, excuseOf } from "./test-counts.ts";

/**
 * A vitest reporter that writes the run's counts to the file that COUNT_REPORTER_FILE names. A test that is skipped proves
 * nothing and fails the run, unless tests were chosen by their names, or a long one says what this machine lacks.
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
    const excused = modules.reduce((sum, module) => sum + countExcused(module), 0);
    const told = areChosenByName ? counts : countSkippedAsFailed(counts, excused);
    if (process.env.COUNT_REPORTER_FILE) writeFileSync(process.env.COUNT_REPORTER_FILE, JSON.stringify(told));
  }
}

/** What is skipped because something before it failed is told by that. */
function skippedIn(module: TestModule): string[] {
  if (!module.ok()) return [];
  const skipped = [...module.children.allTests()].filter((test) => test.result().state === "skipped");
  const file = relative(process.cwd(), module.moduleId);
  const hasExcuses = countExcused(module) > 0;
  return skipped.map((test) => {
    const excuse = excuseOf(test.result());
    if (hasExcuses && excuse !== null) return `${test.fullName} is left out: ${excuse}.`;
    return `${file} skips a test, which fails the run: ${test.fullName}. Run it, or remove it.`;
  });
}
