import { test } from "vitest";
import { readSetting } from "../settings/setting.ts";
import { testSettings } from "../settings/test-settings.ts";
import { faultSeed, scaled } from "../testing/faults/fault-runs.ts";
import { testAgainstModel } from "../testing/order-model/model-test.ts";

const RUNS = 2_000;
// Where other long tests do a tenth this one still does all.
const runs = Math.max(scaled(RUNS), Math.min(RUNS, scaled(10 * RUNS)));
// Of a planted bug it is enough to know that it is noticed.
const shrinkMs = readSetting(testSettings.plantedBug, process.env) === null ? 60_000 : 0;

test("whatever happens, orders and money are as a simple model has them", async () => {
  await testAgainstModel({ runs, seed: faultSeed(), shrinkMs });
});
