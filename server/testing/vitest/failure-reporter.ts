import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** Why a run failed. */
export interface RunFailures {
  readonly passed: number;
  /** Tests that failed because something was not as they expect, each with what they say. */
  readonly assertions: readonly string[];
  /** Everything else that befell tests: timeouts, errors that none of them expects. */
  readonly others: readonly string[];
  /** Test files that could not be loaded. */
  readonly unloaded: readonly string[];
}

interface Failure {
  readonly name?: string;
  readonly message: string;
  readonly cause?: unknown;
}

/** A vitest reporter that writes the run's RunFailures to the file that FAILURE_REPORT_FILE names. */
export default class FailureReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly Failure[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failures = tests.flatMap((test) =>
      (test.result().errors ?? []).map((error) => ({ text: `${test.fullName}: ${error.message}`, error })),
    );
    const report: RunFailures = {
      passed: tests.filter((test) => test.result().state === "passed").length,
      assertions: failures.filter(({ error }) => isAssertion(error)).map(({ text }) => text),
      others: [
        ...failures.filter(({ error }) => !isAssertion(error)).map(({ text }) => text),
        ...unhandledErrors.map(({ message }) => message),
      ],
      unloaded: modules.flatMap((module) => module.errors()).map(({ message }) => message),
    };
    if (process.env.FAILURE_REPORT_FILE) {
      writeFileSync(process.env.FAILURE_REPORT_FILE, JSON.stringify(report));
    }
  }
}

/** A property that failed has the assertion as its cause. */
function isAssertion(error: Failure): boolean {
  if (error.name === "AssertionError") return true;
  return typeof error.cause === "object" && error.cause !== null && isAssertion(error.cause as Failure);
}
