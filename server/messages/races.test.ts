import { afterEach, beforeEach, expect, test } from "vitest";
import { type Answer, requestShop } from "../testing/request-shop.ts";
import {
  addCallingAccount,
  addModels,
  ask,
  type CallingAccount,
  clientOf,
  startTestAiProxy,
  type TestAiProxy,
} from "../testing/test-ai-proxy.ts";
import { usd } from "../testing/test-shop.ts";

const ORDERS = 40;
const CALLS = 80;
/** 0.30 USD of output; the input is reckoned with 0.002. */
const MAX_TOKENS = 20_000;

let shop: TestAiProxy;
let caller: CallingAccount;
let orderingKey: string;
beforeEach(async () => {
  shop = await startTestAiProxy({ callsInFlightLimit: CALLS });
  await addModels(shop, ["sim-slow-start-600000", "sim-events-2000"]);
  caller = await addCallingAccount(shop, "10");
  orderingKey = (await shop.addKey(caller.accountId)).key;
});
// Ends with the audit.
afterEach(() => shop.stop());

async function order(productId: string, index: number): Promise<Answer> {
  const body = { externalOrderId: `order-${index}`, productId, qty: 1 };
  for (;;) {
    const answer = await requestShop(shop.baseUrl, "/orders", { key: orderingKey, body });
    if (answer.status !== 503) return answer;
  }
}

/** @returns the status of the answer. */
function call(model: string, maxTokens: number): Promise<number> {
  const request = { ...ask("a", model), max_tokens: maxTokens };
  return clientOf(shop.proxyUrl, caller.key)
    .messages.create(request)
    .then(
      () => 200,
      ({ status }) => status,
    );
}

test("orders and calls that race for one small balance are never admitted beyond it", async () => {
  const { productId } = await shop.addProduct({ price: "0.30", codes: ORDERS });
  let racing = true;
  const least = (async () => {
    let available: bigint = usd("10");
    while (racing) {
      const { balanceMicrocents, reservedMicrocents } = await shop.accounts.get(caller.accountId);
      if (balanceMicrocents - reservedMicrocents < available)
        available = balanceMicrocents - reservedMicrocents;
    }
    return available;
  })();
  let refused = 0;
  const calling = Array.from({ length: CALLS }, async () => {
    const status = await call("sim-slow-start-600000", MAX_TOKENS);
    if (status === 402) refused += 1;
    return status;
  });
  const ordered = await Promise.all(Array.from({ length: ORDERS }, (_, index) => order(productId, index)));
  // None ends, and gives back what it holds, before each is admitted or refused.
  await expect.poll(() => shop.upstream.answered().length + refused).toBe(CALLS);
  shop.upstream.endDelays();
  const called = await Promise.all(calling);
  racing = false;
  expect(await least).toBeGreaterThanOrEqual(0n);
  const delivered = ordered.filter(({ status }) => status === 200);
  expect(ordered.every(({ status }) => status === 200 || status === 402)).toBe(true);
  expect(called.every((status) => status === 200 || status === 402)).toBe(true);
  expect(called).toContain(402);
  const calls = await caller.settled();
  expect(calls).toHaveLength(called.filter((status) => status === 200).length);
  const charged = calls.reduce((sum, { amountMicrocents }) => sum + amountMicrocents, 0n);
  expect(await caller.balance()).toBe(usd("10") - BigInt(delivered.length) * usd("0.30") - charged);
});

test("calls that cost more than was held are charged in full, also when they race", async () => {
  const { productId } = await shop.addProduct({ price: "0.30", codes: ORDERS });
  await Promise.all([
    ...Array.from({ length: ORDERS }, (_, index) => order(productId, index)),
    // Each holds about 0.003 and takes 0.03.
    ...Array.from({ length: CALLS }, () => call("sim-events-2000", 1)),
  ]);
  const calls = await caller.settled();
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.every(({ outcome, usage }) => outcome === "completed" && usage.outputTokens === 1_994)).toBe(
    true,
  );
  while ((await caller.balance()) >= 0n) expect(await call("sim-events-2000", 1)).toBe(200);
  expect(await call("sim-events-2000", 1)).toBe(402);
  expect((await order(productId, ORDERS)).status).toBe(402);
});
