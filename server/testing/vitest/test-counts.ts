import { appendFileSync } from "node:fs";

/** How many checks and tests went which way. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The part of vitest's TestModule that is counted. */
export interface CountedModule {
  /** The file's path. */
  readonly moduleId: string;
  readonly children: {
    allTests(): Iterable<{ result(): { readonly state: string } }>;
  };
  state(): string;
}

/** Tests that need what not every machine can have. */
const MAY_BE_LEFT_OUT = /\.(?:faults|cluster|browser)\.test\.ts$/;

/**
 * Counts one test file. One that failed outside of its tests, say because it could not be loaded, counts as
 * one failure.
 */
export function countModule(module: CountedModule): TestCounts {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  const count = (state: string) => states.filter((each) => each === state).length;
  const failed = count("failed");
  return {
    passed: count("passed"),
    failed: failed === 0 && module.state() === "failed" ? 1 : failed,
    skipped: states.length - count("passed") - failed,
  };
}

/** The sum of several counts. */
export function addCounts(counts: readonly TestCounts[]): TestCounts {
  return {
    passed: counts.reduce((sum, count) => sum + count.passed, 0),
    failed: counts.reduce((sum, count) => sum + count.failed, 0),
    skipped: counts.reduce((sum, count) => sum + count.skipped, 0),
  };
}

/** How many tests of a file have said why they cannot run on this machine. */
export function countExcused({ moduleId, children }: CountedModule): number {
  if (!MAY_BE_LEFT_OUT.test(moduleId)) return 0;
  return [...children.allTests()].filter((test) => excuseOf(test.result()) !== null).length;
}

/** What a test has said that it cannot run for, by `skip(note)` of its context; null when it has said nothing. */
export function excuseOf(result: { readonly state: string }): string | null {
  const isExcused = result.state === "skipped" && "note" in result && typeof result.note === "string";
  return isExcused ? String(result.note) : null;
}

/** The counts of a run in which every test has to run, but so many that are excused. */
export function countSkippedAsFailed({ passed, failed, skipped }: TestCounts, excused: number): TestCounts {
  return { passed, failed: failed + skipped - excused, skipped: excused };
}

/** The closing line of a test run. */
export function formatCounts({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Prints the closing line of a run, or adds its counts to the file of a caller that adds up several; sets the exit code. */
export function concludeRun(counts: TestCounts): void {
  const { passed, failed, skipped } = counts;
  const file = process.env.TEST_COUNTS_FILE;
  if (file) appendFileSync(file, `${passed} ${failed} ${skipped}\n`);
  else console.log(formatCounts(counts));
  process.exitCode = failed > 0 ? 1 : 0;
}
