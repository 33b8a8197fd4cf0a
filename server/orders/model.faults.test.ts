import { test } from "vitest";
import { faultSeed, scaled } from "../testing/faults/fault-runs.ts";
import { testAgainstModel } from "../testing/order-model/model-test.ts";

const RUNS = 2_000;
// Where other long tests do a tenth this one still does all.
const runs = Math.max(scaled(RUNS), Math.min(RUNS, scaled(10 * RUNS)));
// Of a planted bug it is enough to know that it is noticed.
const shrinkMs = process.env.PLANTED_BUG ? 0 : 60_000;

test("whatever happens, orders and money are as a simple model has them", async () => {
  await testAgainstModel({ runs, seed: faultSeed(), shrinkMs });
});
