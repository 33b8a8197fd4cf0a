import { afterEach, beforeEach, expect, test } from "vitest";
import { microcents } from "../../money/microcents.ts";
import { limitsOf } from "../../testing/documented-limits.ts";
import { requestAiProxy } from "../../testing/request-ai-proxy.ts";
import { addCaller, addModel, completedWith, mostOutput } from "../../testing/test-calls.ts";
import { startTestShop, type TestShop, usd } from "../../testing/test-shop.ts";

let shop: TestShop;
let nowMs: number;
beforeEach(async () => {
  nowMs = Date.parse("2026-07-01T12:00:00Z");
  shop = await startTestShop(() => nowMs);
});
afterEach(() => shop.stop());

interface Entry {
  id: string;
  type: string;
  amount_microcents: number;
  balance_after_microcents: number;
  reference: string;
}
const ledger = (query = "", key = shop.generalKey) => requestAiProxy(shop, `/v1/ledger${query}`, { key });
const balance = async () => (await requestAiProxy(shop, "/v1/me")).body.account.balance_microcents as number;

test("whatever moves the balance is listed, newest first, and sums to it", async () => {
  const { accountId, productId } = shop;
  const model = await addModel(shop);
  const caller = await addCaller(shop, accountId);
  const call = await shop.calls.begin({ caller, model, requestId: "r", most: mostOutput(1_000) });
  await shop.calls.end(call, completedWith(31_500));
  const order = await shop.call("/orders", { body: { externalOrderId: "x", productId, qty: 3 } });
  await shop.orderAdministration.refund(order.body.orderId, "wrong product");
  nowMs += 5_000;
  await shop.ledger.adjust({
    accountId,
    amountMicrocents: microcents(-7n),
    reference: "fix",
    note: "between us",
  });
  const entries: Entry[] = (await ledger()).body.data;
  expect(entries.at(0)).toEqual({
    id: `led_${entries.length}`,
    created_at: "2026-07-01T12:00:05.000Z",
    type: "adjustment",
    amount_microcents: -7,
    balance_after_microcents: await balance(),
    reference: "fix",
  });
  expect(entries.find(({ type }) => type === "call")).toMatchObject({
    amount_microcents: -31_500,
    balance_after_microcents: 10_000_000_000 - 31_500,
    reference: call.callId,
  });
  expect(entries.find(({ type }) => type === "order")).toMatchObject({
    amount_microcents: -300_000_000,
    reference: order.body.orderId,
  });
  expect(entries.map(({ type }) => type).toReversed()).toEqual([
    "top_up",
    "call",
    "order",
    "refund",
    "adjustment",
  ]);
  expect(entries.reduce((sum, { amount_microcents: amount }) => sum + amount, 0)).toBe(await balance());
});

test("a charge that takes the balance below zero is listed with what it left", async () => {
  const accountId = await shop.addAccount("0.0001");
  const { key } = await shop.addKey(accountId, "general");
  const [model, caller] = [await addModel(shop), await addCaller(shop, accountId)];
  const call = await shop.calls.begin({ caller, model, requestId: "r", most: mostOutput(1) });
  await shop.calls.end(call, completedWith(10_001));
  expect((await ledger("?limit=1", key)).body.data).toMatchObject([
    { amount_microcents: -10_001, balance_after_microcents: -1 },
  ]);
});

test("all keys of an account see its movements, and nobody else's", async () => {
  const accountId = await shop.addAccount("5");
  const { key } = await shop.addKey(accountId, "general");
  expect((await ledger("", key)).body.data).toMatchObject([
    { type: "top_up", amount_microcents: 500_000_000 },
  ]);
  expect((await ledger()).body.data).toMatchObject([{ type: "top_up", amount_microcents: 10_000_000_000 }]);
  const { key: empty } = await shop.addKey(await shop.addAccount("0"), "general");
  expect((await ledger("", empty)).body).toEqual({ data: [] });
});

test("the limit is what the document says", async () => {
  const { maximum, default: usual } = limitsOf("proxy", "Limit");
  // The account has one entry already.
  for (let count = 1; count <= maximum + 4; count += 1) {
    await shop.ledger.topUp({
      accountId: shop.accountId,
      amountMicrocents: usd("0.01"),
      reference: `top-up ${count}`,
    });
  }
  const ids = async (query: string) => ((await ledger(query)).body.data as Entry[]).map(({ id }) => id);
  expect(await ids("")).toHaveLength(usual);
  expect(await ids("?limit=1")).toEqual([`led_${maximum + 5}`]);
  const newest = Array.from({ length: maximum }, (_, index) => `led_${maximum + 5 - index}`);
  expect(await ids(`?limit=${maximum}`)).toEqual(newest);
  for (const limit of ["0", String(maximum + 1), "-1", "1.5", "x", "", "1e1"]) {
    expect(await ledger(`?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { error: { type: "invalid_request_error" } },
    });
  }
});
