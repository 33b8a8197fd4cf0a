import { test } from "vitest";
import { faultSeed } from "../testing/faults/fault-runs.ts";
import { testAgainstModel } from "../testing/order-model/model-test.ts";

test("whatever happens, orders and money are as a simple model has them", async () => {
  await testAgainstModel({ runs: 40, seed: faultSeed(), shrinkMs: 20_000 });
});
