import { afterEach, beforeEach, expect, test } from "vitest";
import type { Caller } from "../../keys/api-key.ts";
import type { Model } from "../../models/model.ts";
import { MAX_ACCOUNT_MICROCENTS, microcents } from "../../money/microcents.ts";
import { limitsOf } from "../../testing/documented-limits.ts";
import { requestAiProxy } from "../../testing/request-ai-proxy.ts";
import { addCaller, addModel, completedWith, mostOutput, outputOf } from "../../testing/test-calls.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

let shop: TestShop;
let model: Model;
let caller: Caller;
let nowMs: number;
beforeEach(async () => {
  nowMs = Date.parse("2026-07-01T12:00:00Z");
  shop = await startTestShop(() => nowMs);
  model = await addModel(shop);
  caller = await addCaller(shop, shop.accountId);
});
afterEach(() => shop.stop());

const usage = (query = "", key = shop.generalKey) => requestAiProxy(shop, `/v1/usage${query}`, { key });

/** Begins a call that is held a microcent for. */
const begin = (requestId: string, by = caller) =>
  shop.calls.begin({ caller: by, model, requestId, most: mostOutput(1) });

test("calls are listed newest first with tokens, charge and outcome", async () => {
  const completed = await begin("first");
  await shop.calls.end(completed, {
    outcome: "completed",
    usage: { inputTokens: 10, outputTokens: 20, cacheWriteTokens: 30, cacheReadTokens: 4_500 },
    estimated: false,
    upstreamRequestId: "req_1",
  });
  nowMs += 1_000;
  const rejected = await begin("second");
  await shop.calls.end(rejected, {
    outcome: "rejected",
    usage: null,
    estimated: false,
    upstreamRequestId: null,
  });
  nowMs += 1_000;
  const running = await begin("third");
  const nothing = {
    model: "test-model",
    estimated: false,
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    amount_microcents: 0,
    balance_after_microcents: null,
    upstream_request_id: null,
  };
  const { status, body } = await usage();
  expect(status).toBe(200);
  expect(body).toEqual({
    data: [
      {
        ...nothing,
        id: running.callId,
        created_at: "2026-07-01T12:00:02.000Z",
        outcome: null,
        request_id: "third",
      },
      {
        ...nothing,
        id: rejected.callId,
        created_at: "2026-07-01T12:00:01.000Z",
        outcome: "rejected",
        request_id: "second",
      },
      {
        id: completed.callId,
        created_at: "2026-07-01T12:00:00.000Z",
        model: "test-model",
        outcome: "completed",
        estimated: false,
        input_tokens: 10,
        output_tokens: 20,
        cache_creation_input_tokens: 30,
        cache_read_input_tokens: 4_500,
        // 60 tokens at a microcent, 4,500 at a thousandth, rounded up.
        amount_microcents: 65,
        balance_after_microcents: 9_999_999_935,
        request_id: "first",
        upstream_request_id: "req_1",
      },
    ],
  });
  await shop.calls.end(running, completedWith(1));
});

test("a call that more was charged for than tokens says for what", async () => {
  const call = await begin("searched");
  const nothing = {
    cacheWriteHourTokens: 0,
    inferenceGeo: null,
    serviceTier: null,
    iterations: [],
    unknown: [],
  };
  const fast = { factors: { speed: { fast: 600 }, inferenceGeo: {}, serviceTier: {} }, tiers: [] };
  const further = {
    ...fast,
    cacheWriteHourMicrocents: null,
    toolUses: { web_search: microcents(1_000_000n) },
  };
  const priced = { ...call, model: { ...model, prices: { ...model.prices, further } } };
  await shop.calls.end(priced, {
    ...completedWith(3),
    usage: { ...outputOf(3), further: { ...nothing, speed: "fast", toolUses: { web_search: 2 } } },
  });
  const [record] = (await usage()).body.data;
  expect(record).toMatchObject({ output_tokens: 3, amount_microcents: 2_000_018, speed: "fast" });
  expect(record).not.toHaveProperty("service_tier");
  const item = { part: "message", model: "test-model", factor_millionths: 6_000_000 };
  expect(record.items).toEqual([
    { ...item, kind: "output", quantity: 3, price_microcents: 1_000_000, per: 1_000_000 },
    {
      ...item,
      kind: "web_search",
      quantity: 2,
      price_microcents: 1_000_000,
      per: 1,
      factor_millionths: 1_000_000,
    },
  ]);
});

test("all keys of the account see its calls, and nobody else's", async () => {
  const other = await addCaller(shop, await shop.addAccount());
  for (const by of [caller, other, caller]) await shop.calls.end(await begin(by.keyId, by), completedWith(1));
  const { key } = await shop.addKey(shop.accountId, "general");
  for (const body of [(await usage()).body, (await usage("", key)).body]) {
    expect(body.data.map(({ request_id }: { request_id: string }) => request_id)).toEqual([
      caller.keyId,
      caller.keyId,
    ]);
  }
  const { key: stranger } = await shop.addKey(await shop.addAccount(), "general");
  expect((await usage("", stranger)).body).toEqual({ data: [] });
});

test("the limit is what the document says", async () => {
  const { maximum, default: usual } = limitsOf("proxy", "Limit");
  for (let count = 0; count < maximum + 5; count += 1) {
    nowMs += 1;
    await shop.calls.end(await begin(`call-${count}`), completedWith(1));
  }
  const requestIds = async (query: string) =>
    (await usage(query)).body.data.map(({ request_id }: { request_id: string }) => request_id) as string[];
  expect(await requestIds("")).toHaveLength(usual);
  expect(await requestIds("?limit=1")).toEqual([`call-${maximum + 4}`]);
  const most = await requestIds(`?limit=${maximum}`);
  expect(most).toEqual(Array.from({ length: maximum }, (_, index) => `call-${maximum + 4 - index}`));
  for (const limit of ["0", String(maximum + 1), "-1", "1.5", "x", "", "1e1", "0x10"]) {
    expect(await usage(`?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { error: { type: "invalid_request_error" } },
    });
  }
});

test("amounts are exact up to the largest", async () => {
  const accountId = await shop.addAccount("0");
  await shop.ledger.topUp({ accountId, amountMicrocents: MAX_ACCOUNT_MICROCENTS, reference: "all" });
  const rich = await addCaller(shop, accountId);
  const { key } = await shop.addKey(accountId, "general");
  const call = await begin("dear", rich);
  const spent = microcents(MAX_ACCOUNT_MICROCENTS - 1n);
  await shop.calls.end(call, { ...completedWith(0), usage: outputOf(spent) });
  expect((await usage("", key)).body.data[0]).toMatchObject({
    amount_microcents: Number.MAX_SAFE_INTEGER - 1,
    balance_after_microcents: 1,
  });
});
