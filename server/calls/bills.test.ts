import { afterEach, beforeEach, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import type { Log } from "../log.ts";
import type { Model } from "../models/model.ts";
import type { ModelPrices } from "../models/prices.ts";
import { microcents } from "../money/microcents.ts";
import {
  addCaller,
  addModel,
  chargesOf,
  endAbandonedCalls,
  fundsOf,
  mostOutput,
  UNIT_PRICES,
} from "../testing/test-calls.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import type { AskedTerms } from "./bill.ts";
import { createCalls } from "./calls.ts";
import { type FurtherUsage, NO_TOKENS, NOTHING_FURTHER, type TokenUsage } from "./token-usage.ts";

const LEASE_MS = 1_000;
const BALANCE = 100_000n;
const PRICES: ModelPrices = {
  ...UNIT_PRICES,
  further: {
    cacheWriteHourMicrocents: microcents(2_000_000n),
    tiers: [],
    factors: { speed: { fast: 600 }, inferenceGeo: { us: 110 }, serviceTier: {} },
    toolUses: { web_search: microcents(1_000n) },
  },
};

let nowMs = Date.now();
let services: TestServices;
let accountId: AccountId;
let caller: Caller;
let model: Model;
beforeEach(async () => {
  services = await openTestServices(() => nowMs, { callLeaseMs: LEASE_MS });
  accountId = await services.addAccount("0.001");
  caller = await addCaller(services, accountId);
  model = await addModel(services, "test-model", { prices: PRICES });
});
// Ends with the audit.
afterEach(() => services.dispose());

const begin = (asked?: AskedTerms) =>
  services.calls.begin({ caller, model, requestId: "r-1", asked, most: mostOutput(500) });
const ending = (usage: TokenUsage) =>
  ({ outcome: "completed", usage, estimated: false, upstreamRequestId: null }) as const;

function using(counts: Partial<TokenUsage>, further: Partial<FurtherUsage> = {}): TokenUsage {
  return { ...NO_TOKENS, ...counts, further: { ...NOTHING_FURTHER, ...further } };
}

/** Lets all leases run out and recovery end what has lost its own. */
async function recover(): Promise<void> {
  nowMs += LEASE_MS;
  await endAbandonedCalls(services);
}

test("a call that more is charged for than its tokens keeps what it was charged for", async () => {
  const call = await begin({ speed: "fast", inferenceGeo: null });
  const usage = using(
    { inputTokens: 10, cacheWriteTokens: 5 },
    { cacheWriteHourTokens: 2, toolUses: { web_search: 3 } },
  );
  await services.calls.end(call, ending(usage));
  const amount = 6n * (10n + 3n + 2n * 2n) + 3_000n;
  expect(await chargesOf(services, call.callId)).toEqual([-amount]);
  const item = { part: "message", modelId: "test-model", factorMillionths: 6_000_000 };
  expect(await services.calls.list(accountId, 1)).toMatchObject([
    {
      usage: { inputTokens: 10, cacheWriteTokens: 5 },
      amountMicrocents: amount,
      bill: {
        speed: "fast",
        inferenceGeo: null,
        serviceTier: null,
        unpriced: [],
        items: [
          { ...item, kind: "input", quantity: 10, priceMicrocents: 1_000_000n },
          { ...item, kind: "cache_write_5m", quantity: 3 },
          { ...item, kind: "cache_write_1h", quantity: 2, priceMicrocents: 2_000_000n },
          { ...item, kind: "web_search", quantity: 3, factorMillionths: 1_000_000 },
        ],
      },
    },
  ]);
});

test("an abandoned call is charged for what was recorded of it, item by item", async () => {
  const call = await begin();
  await services.calls.record(call, using({ inputTokens: 10 }, { inferenceGeo: "us" }));
  await services.calls.record(call, using({ inputTokens: 10, outputTokens: 90 }, { inferenceGeo: "us" }));
  await services.calls.record(call, using({ inputTokens: 10, outputTokens: 90 }, { inferenceGeo: "us" }));
  await recover();
  expect(await services.calls.list(accountId, 1)).toMatchObject([
    { outcome: "upstream_failed", amountMicrocents: 110n, bill: { inferenceGeo: "us", items: [{}, {}] } },
  ]);
  expect(await fundsOf(services, accountId)).toEqual({ balance: BALANCE - 110n, reserved: 0n });
});

test("items that were recorded go when the end says that the call was a plain one", async () => {
  const call = await begin({ speed: "fast", inferenceGeo: null });
  await services.calls.record(call, { ...NO_TOKENS, inputTokens: 10 });
  expect(await services.calls.list(accountId, 1)).toMatchObject([{ bill: { speed: "fast" } }]);
  await services.calls.end(call, ending(using({ inputTokens: 10 }, { speed: "standard" })));
  expect(await services.calls.list(accountId, 1)).toMatchObject([{ amountMicrocents: 10n, bill: null }]);
  expect(await services.database.rows("SELECT * FROM call_bill_items")).toEqual([]);
});

test("calls of both sorts that end together are each charged for their own", async () => {
  const calls = await Promise.all(Array.from({ length: 40 }, () => begin()));
  const usages = calls.map((_call, index) =>
    index % 3 === 0 ? { ...NO_TOKENS, inputTokens: index } : using({ inputTokens: index }, { speed: "fast" }),
  );
  await Promise.all(calls.map((call, index) => services.calls.end(call, ending(usages[index] ?? NO_TOKENS))));
  for (const [index, { callId }] of calls.entries()) {
    const amount = BigInt(index * (index % 3 === 0 ? 1 : 6));
    expect(await chargesOf(services, callId)).toEqual(amount === 0n ? [] : [-amount]);
  }
});

test("what has no price is kept as far as there is room for its names", async () => {
  const unknown = Array.from({ length: 20 }, (_, index) => `${"x".repeat(50)}${index}`);
  const call = await services.calls.begin({ caller, model, requestId: "r-3", most: mostOutput(500) });
  await services.calls.end(call, ending(using({ inputTokens: 7 }, { unknown })));
  const [record] = await services.calls.list(accountId, 1);
  expect(record).toMatchObject({ amountMicrocents: 7n, outcome: "completed" });
  expect(record?.bill?.unpriced.join(" ")).toBe(unknown.join(" ").slice(0, 500));
});

test("what has no price marks the call and raises an alarm", async () => {
  const errors: unknown[] = [];
  const log: Log = { info() {}, warn() {}, error: (facts: unknown) => void errors.push(facts) };
  const { database, clock } = services;
  const calls = createCalls({ database, clock, log, leaseMs: LEASE_MS });
  const most = mostOutput(500);
  const call = await calls.begin({ caller, model, requestId: "r-2", most });
  const unpriced = ["moon_tokens", "service_tier=priority"];
  const usage = using({ inputTokens: 7 }, { unknown: ["moon_tokens"], serviceTier: "priority" });
  for (let times = 0; times < 2; times += 1) await calls.end(call, ending(usage));
  expect(await calls.list(accountId, 1)).toMatchObject([{ amountMicrocents: 7n, bill: { unpriced } }]);
  expect(errors).toMatchObject([{ callId: call.callId, requestId: "r-2", model: "test-model", unpriced }]);
  expect(calls.unpricedCalls()).toBe(1);
});
