import { expect, inject, type TestContext, test } from "vitest";
import { runSeed, scaledSelection } from "../faults/fault-runs.ts";
import { PLANTED_BUGS } from "./planted-bugs.ts";
import { runUnplanted } from "./planting.ts";
import { runTests } from "./run-tests.ts";

/** Where the runs are shortened, so many bugs are planted, others in each. */
const LEAST = 40;

/** On this run's database server, and no longer than the test. */
function circumstances({ onTestFinished }: TestContext) {
  const breaker = new AbortController();
  onTestFinished(() => breaker.abort());
  return { serverUrl: inject("testServer").tcpUrl, signal: breaker.signal };
}

const seed = runSeed();
const bugs = scaledSelection(PLANTED_BUGS, { least: LEAST, seed });

test("the tests that are to notice a bug pass without one", async (context) => {
  const plantings = bugs.map((bug) => ({ ...bug, tests: [bug.caughtBy] }));
  expect(await runUnplanted(plantings, circumstances(context))).toEqual([]);
});

test.concurrent.for(bugs)("$name is caught by $caughtBy", async (bug, context) => {
  const ran = await runTests({
    ...circumstances(context),
    paths: [bug.caughtBy],
    test: bug.test,
    plant: bug,
  });
  const others = [...(ran?.others ?? ["no end"]), ...(ran?.unloaded ?? [])];
  const words = `no test noticed (FAULTS_SEED=${seed}); other failures: ${others.join("\n")}`;
  expect(ran?.assertions ?? [], words).not.toEqual([]);
});
