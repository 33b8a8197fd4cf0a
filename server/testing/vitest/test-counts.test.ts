import { expect, test } from "vitest";
import {
  addCounts,
  type CountedModule,
  countExcused,
  countModule,
  countSkippedAsFailed,
  formatCounts,
} from "./test-counts.ts";

function moduleOf(state: string, ...tests: string[]): CountedModule {
  return {
    moduleId: "server/some.faults.test.ts",
    state: () => state,
    children: {
      allTests: () =>
        tests.map((each) => ({
          result: () => (each === "excused" ? { state: "skipped", note: "no haproxy" } : { state: each }),
        })),
    },
  };
}

test("a file's tests are counted by how they ended", () => {
  const module = moduleOf("failed", "passed", "failed", "passed", "skipped", "pending");
  expect(countModule(module)).toEqual({ passed: 2, failed: 1, skipped: 2 });
});

test("a file that fails without a failed test is a failure", () => {
  expect(countModule(moduleOf("failed"))).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(countModule(moduleOf("failed", "skipped"))).toEqual({ passed: 0, failed: 1, skipped: 1 });
});

test("a test that does not run fails where all have to", () => {
  const module = moduleOf("passed", "passed", "skipped", "pending");
  expect(countSkippedAsFailed(countModule(module), 0)).toEqual({ passed: 1, failed: 2, skipped: 0 });
});

test("a long test that says what this machine lacks is only counted; any other has to run all the same", () => {
  const module = moduleOf("passed", "passed", "skipped", "excused");
  expect(countExcused(module)).toBe(1);
  expect(countSkippedAsFailed(countModule(module), 1)).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(countExcused({ ...module, moduleId: "server/some.test.ts" })).toBe(0);
});

test("the closing line names skipped tests only where there are any", () => {
  const one = { passed: 1, failed: 2, skipped: 0 };
  expect(formatCounts(one)).toBe("1 passed, 2 failed");
  expect(formatCounts(addCounts([one, { ...one, skipped: 3 }]))).toBe("2 passed, 4 failed, 3 skipped");
});
