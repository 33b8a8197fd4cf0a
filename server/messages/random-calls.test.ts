import { afterAll, beforeAll, expect, test } from "vitest";
import { faultSeed } from "../testing/faults/fault-runs.ts";
import { makeRandomCalls, offerRandomModels } from "../testing/random-calls.ts";
import { startTestAiProxy, type TestAiProxy } from "../testing/test-ai-proxy.ts";

let shop: TestAiProxy;
beforeAll(async () => {
  shop = await startTestAiProxy();
  await offerRandomModels(shop);
});
afterAll(() => shop.stop());

test("calls of every kind are charged what the upstream bills, and no balance ends below zero", async () => {
  const answers = await makeRandomCalls(shop, { calls: 80, seed: faultSeed() });
  expect(answers[200]).toBeGreaterThan(10);
});
