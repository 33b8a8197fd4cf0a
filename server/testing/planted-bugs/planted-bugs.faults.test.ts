import { expect, inject, onTestFinished, test } from "vitest";
import { PLANTED_BUGS } from "./planted-bugs.ts";
import { runUnplanted } from "./planting.ts";
import { runTests } from "./run-tests.ts";

/** On this run's database server, and no longer than the test. */
function circumstances() {
  const breaker = new AbortController();
  onTestFinished(() => breaker.abort());
  return { serverUrl: inject("testServer").tcpUrl, signal: breaker.signal };
}

test("the tests that are to notice a bug pass without one", async () => {
  const plantings = PLANTED_BUGS.map((bug) => ({ ...bug, tests: [bug.caughtBy] }));
  expect(await runUnplanted(plantings, circumstances())).toEqual([]);
});

test.each(PLANTED_BUGS)("$name is caught by $caughtBy", async (bug) => {
  const ran = await runTests({ ...circumstances(), paths: [bug.caughtBy], test: bug.test, plant: bug });
  const others = [...(ran?.others ?? ["no end"]), ...(ran?.unloaded ?? [])];
  expect(ran?.assertions ?? [], `no test noticed; other failures: ${others.join("\n")}`).not.toEqual([]);
});
