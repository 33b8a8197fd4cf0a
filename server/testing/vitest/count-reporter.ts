import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import { addCounts, countModule } from "./test-counts.ts";

/** A vitest reporter that writes the run's counts to the file that COUNT_REPORTER_FILE names. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = addCounts([
      ...modules.map(countModule),
      { passed: 0, failed: unhandledErrors.length, skipped: 0 },
    ]);
    if (process.env.COUNT_REPORTER_FILE) {
      writeFileSync(process.env.COUNT_REPORTER_FILE, JSON.stringify(counts));
    }
  }
}
