import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_TOKEN_PRICE_MICROCENTS, type ModelPrices } from "../models/prices.ts";
import { MAX_ACCOUNT_MICROCENTS, microcents } from "../money/microcents.ts";
import { anyModelPrices, anyUsage } from "../testing/any-usage.ts";
import { usd } from "../testing/test-shop.ts";
import { type BillingTerms, chargeOf, sumOf } from "./bill.ts";
import { type CacheLifetime, highestChargeAfter, highestChargeOf } from "./highest-charge.ts";
import { costOf, type FurtherUsage, NO_TOKENS, NOTHING_FURTHER, type TokenUsage } from "./token-usage.ts";

const PRICES: ModelPrices = {
  inputMicrocents: usd("3"),
  outputMicrocents: usd("15"),
  cacheWriteMicrocents: usd("3.75"),
  cacheReadMicrocents: usd("0.30"),
};
const FURTHER = {
  cacheWriteHourMicrocents: usd("6"),
  tiers: [],
  factors: {
    speed: { fast: 600 },
    inferenceGeo: { us: 110 },
    serviceTier: { priority: 125 },
  },
  toolUses: { web_search: usd("0.01") },
};
const ALL_PRICES: ModelPrices = { ...PRICES, further: FURTHER };
const TIERED: ModelPrices = {
  ...PRICES,
  further: {
    ...FURTHER,
    tiers: [
      {
        aboveInputTokens: 200_000,
        inputMicrocents: usd("6"),
        outputMicrocents: usd("22.50"),
        cacheWriteMicrocents: usd("7.50"),
        cacheWriteHourMicrocents: usd("12"),
        cacheReadMicrocents: usd("0.60"),
      },
    ],
  },
};
const MILLION = 1_000_000;

function used(counts: Partial<TokenUsage>, further?: Partial<FurtherUsage>): TokenUsage {
  return {
    ...NO_TOKENS,
    ...counts,
    ...(further === undefined ? {} : { further: { ...NOTHING_FURTHER, ...further } }),
  };
}

function charge(usage: TokenUsage, prices: ModelPrices = ALL_PRICES, terms: Partial<BillingTerms> = {}) {
  const { amountMicrocents, bill } = chargeOf(usage, { model: { modelId: "m-1", prices }, ...terms });
  return { usd: amountMicrocents, unpriced: bill?.unpriced ?? [], bill };
}

describe("a call is charged for", () => {
  test("its four kinds of tokens without any items", () => {
    const usage = used({ inputTokens: MILLION, outputTokens: MILLION });
    expect(charge(usage)).toEqual({ usd: usd("18"), unpriced: [], bill: null });
    expect(charge(used(usage, { speed: "standard", inferenceGeo: "global" })).bill).toBeNull();
  });

  test("cache writes of an hour at their own price", () => {
    const usage = used({ cacheWriteTokens: 3 * MILLION }, { cacheWriteHourTokens: MILLION });
    expect(charge(usage).usd).toBe(usd("13.50"));
    expect(charge(usage).bill?.items.map(({ kind, quantity }) => [kind, quantity])).toEqual([
      ["cache_write_5m", 2 * MILLION],
      ["cache_write_1h", MILLION],
    ]);
  });

  test("speed, region and service tier, which multiply each other and every kind of token", () => {
    const tokens = { inputTokens: MILLION, outputTokens: MILLION, cacheReadTokens: MILLION };
    expect(charge(used(tokens, { speed: "fast" })).usd).toBe(usd("109.80"));
    expect(charge(used(tokens, { inferenceGeo: "us" })).usd).toBe(usd("20.13"));
    const all = used(tokens, { speed: "fast", inferenceGeo: "us", serviceTier: "priority" });
    expect(charge(all)).toMatchObject({
      usd: usd("150.975"),
      bill: { speed: "fast", inferenceGeo: "us", serviceTier: "priority" },
    });
  });

  test("what was asked for where the answer does not say what it got, and otherwise for what it got", () => {
    const asked = { speed: "fast", inferenceGeo: "us" };
    const tokens = { inputTokens: MILLION };
    expect(charge(used(tokens), ALL_PRICES, { asked }).usd).toBe(usd("19.80"));
    const told = used(tokens, { speed: "standard", inferenceGeo: "global" });
    expect(charge(told, ALL_PRICES, { asked })).toMatchObject({ usd: usd("3"), bill: null });
  });

  test("uses of tools, which no factor multiplies", () => {
    const usage = used(
      { inputTokens: MILLION },
      { speed: "fast", toolUses: { web_search: 50, web_fetch: 7 } },
    );
    expect(charge(usage).usd).toBe(usd("18.50"));
    expect(charge(usage).bill?.items.at(-1)).toMatchObject({ kind: "web_fetch", quantity: 7 });
  });

  test("all of its tokens at the tier that its whole input reaches", () => {
    const usage = used({ inputTokens: 100_000, cacheReadTokens: 100_000, outputTokens: MILLION });
    expect(charge(usage, TIERED)).toMatchObject({ usd: usd("15.33"), bill: null });
    const above = charge({ ...usage, cacheReadTokens: 100_001 }, TIERED);
    expect(above.usd).toBe(usd("23.16") + 60n);
    expect(above.bill?.items).toHaveLength(3);
  });

  test("runs of one kind at the tier that each of them reaches by itself", () => {
    const run = { ...NO_TOKENS, type: "compaction", modelId: null, cacheWriteHourTokens: 0 };
    const iterations = [
      { ...run, inputTokens: 200_001 },
      { ...run, inputTokens: 100_000 },
      { ...run, inputTokens: 50_000 },
    ];
    const { usd: amount, bill } = charge(used({}, { iterations }), TIERED);
    expect(amount).toBe(usd("1.65") + 600n);
    expect(bill?.items).toMatchObject([
      { quantity: 200_001, priceMicrocents: usd("6") },
      { quantity: 150_000, priceMicrocents: usd("3") },
    ]);
  });

  test("iterations at their own models' prices, beside the answer's own", () => {
    const other = { modelId: "advisor-1", prices: { ...PRICES, inputMicrocents: usd("10") } };
    const iteration = { ...NO_TOKENS, inputTokens: MILLION, cacheWriteHourTokens: 0 };
    const iterations = [
      { ...iteration, type: "message", modelId: "m-1-20260101" },
      { ...iteration, type: "compaction", modelId: null, cacheWriteTokens: MILLION },
      { ...iteration, type: "advisor_message", modelId: "advisor-1" },
    ];
    const usage = used({ inputTokens: MILLION, outputTokens: MILLION }, { iterations });
    const all = charge(usage, ALL_PRICES, { otherModels: [other] });
    expect(all).toMatchObject({ usd: usd("34.75"), unpriced: [] });
    expect(all.bill?.items.map(({ part, modelId, kind }) => `${part} ${modelId} ${kind}`)).toEqual([
      "message m-1 input",
      "compaction m-1 input",
      "compaction m-1 cache_write_5m",
      "advisor_message advisor-1 input",
      "message m-1 output",
    ]);
    expect(charge(usage)).toMatchObject({ usd: usd("27.75"), unpriced: ["iterations.model=advisor-1"] });
  });

  test("iterations at the price of the model that the request named without a date or as the latest", () => {
    const run = { ...NO_TOKENS, inputTokens: MILLION, cacheWriteHourTokens: 0, type: "advisor_message" };
    const usage = used({}, { iterations: [{ ...run, modelId: "advisor-1-20260101" }] });
    for (const modelId of ["advisor-1-20260101", "advisor-1", "advisor-1-latest"]) {
      const named = { modelId, prices: { ...PRICES, inputMicrocents: usd("10") } };
      expect(charge(usage, PRICES, { otherModels: [named] })).toMatchObject({ usd: usd("10"), unpriced: [] });
    }
  });

  test("another model's iterations at the speed that it has a price for, and in no unpriced region", () => {
    const other = { modelId: "advisor-1", prices: PRICES };
    const run = { ...NO_TOKENS, inputTokens: MILLION, cacheWriteHourTokens: 0, type: "advisor_message" };
    const usage = used(
      {},
      { speed: "fast", inferenceGeo: "us", iterations: [{ ...run, modelId: "advisor-1" }] },
    );
    expect(charge(usage, ALL_PRICES, { otherModels: [other] })).toMatchObject({
      ...{ usd: usd("3"), unpriced: ["inference_geo=us"] },
    });
  });

  test("runs for the answer that its own counts leave out", () => {
    const run = { ...NO_TOKENS, type: "message", modelId: null, cacheWriteHourTokens: 0 };
    const iterations = [
      { ...run, inputTokens: MILLION },
      { ...run, inputTokens: 2 * MILLION },
    ];
    const told = charge(used({ inputTokens: MILLION }, { iterations }));
    expect(told.usd).toBe(usd("9"));
    expect(told.bill?.items).toMatchObject([{ quantity: 3 * MILLION }]);
    expect(charge(used({ inputTokens: 3 * MILLION }, { iterations }))).toMatchObject({ bill: null });
  });

  test.each<[string, Partial<FurtherUsage>, string]>([
    ["an hour's cache writes", { cacheWriteHourTokens: 5 }, "cache_creation.ephemeral_1h_input_tokens"],
    ["a speed", { speed: "fast" }, "speed=fast"],
    ["a region", { inferenceGeo: "us" }, "inference_geo=us"],
    ["a service tier", { serviceTier: "priority" }, "service_tier=priority"],
    ["a tool", { toolUses: { web_search: 1 } }, "server_tool_use.web_search_requests"],
    ["a counter that nobody knows", { unknown: ["moon_tokens"] }, "moon_tokens"],
  ])("as far as known for %s without a price, and named", (_what, further, name) => {
    const usage = used({ inputTokens: 10, cacheWriteTokens: 10 }, further);
    const known = costOf(usage, PRICES);
    expect(charge(usage, PRICES)).toMatchObject({ usd: known, unpriced: [name] });
  });

  test("no more than an account may hold, whatever the upstream counts", () => {
    const dear = microcents(MAX_TOKEN_PRICE_MICROCENTS);
    const prices = { ...ALL_PRICES, inputMicrocents: dear };
    const usage = used(
      { inputTokens: 1_000_000_000 },
      { speed: "fast", inferenceGeo: "us", serviceTier: "priority" },
    );
    const factors = {
      speed: { fast: 10_000 },
      inferenceGeo: { us: 10_000 },
      serviceTier: { priority: 10_000 },
    };
    const most = charge(usage, { ...prices, further: { ...FURTHER, factors } });
    expect(most.usd).toBe(MAX_ACCOUNT_MICROCENTS);
  });
});

test("items at plain prices come to the same as the four kinds of tokens", () => {
  fc.assert(
    fc.property(anyUsage(), anyModelPrices(), ({ further: _further, ...usage }, prices) => {
      const terms = { model: { modelId: "m-1", prices: withoutTiers(prices) } };
      const items = chargeOf({ ...usage, further: NOTHING_FURTHER }, terms);
      expect(items.amountMicrocents).toBe(costOf(usage, prices));
    }),
  );
});

test("a charge is what its items come to, and they are never fewer than what was counted", () => {
  fc.assert(
    fc.property(anyUsage(), anyModelPrices(), (usage, prices) => {
      const { amountMicrocents, bill } = chargeOf(usage, { model: { modelId: "m-1", prices } });
      expect(bill === null ? costOf(usage, prices) : sumOf(bill.items)).toBe(amountMicrocents);
      if (bill === null) return;
      const inputs = bill.items.filter(({ part, kind }) => part === "message" && kind === "input");
      const quantity = inputs.reduce((sum, item) => sum + item.quantity, 0);
      expect(quantity).toBeGreaterThanOrEqual(usage.inputTokens);
    }),
  );
});

test("no charge is above the highest for the bounds that its usage is within", () => {
  const bounds = fc.nat({ max: 2_000_000 });
  fc.assert(
    fc.property(anyUsage(), anyModelPrices(), bounds, bounds, (usage, prices, moreInput, moreOutput) => {
      const further = usage.further ?? NOTHING_FURTHER;
      const terms = { model: { modelId: "m-1", prices } };
      const within = { ...usage, further: { ...further, iterations: [] } };
      const highest = highestChargeOf(
        {
          inputTokens: usage.inputTokens + usage.cacheWriteTokens + usage.cacheReadTokens + moreInput,
          outputTokens: usage.outputTokens + moreOutput,
          cacheWrites: ["1h"],
          terms: {
            speed: further.speed === null ? [] : [further.speed],
            inferenceGeo: further.inferenceGeo === null ? [] : [further.inferenceGeo],
            serviceTier: further.serviceTier === null ? [] : [further.serviceTier],
          },
          toolUses: further.toolUses,
          isOneRun: false,
        },
        prices,
      );
      expect(chargeOf(within, terms).amountMicrocents <= highest).toBe(true);
    }),
  );
});

test("no charge is above what is left possible when its input has been told", () => {
  const tokens = fc.nat({ max: 2_000_000 });
  fc.assert(
    fc.property(anyUsage(), anyModelPrices(), tokens, tokens, (usage, prices, firstOutput, moreOutput) => {
      const further = { ...(usage.further ?? NOTHING_FURTHER), iterations: [], unknown: [] };
      const told = { ...usage, outputTokens: firstOutput, further: { ...further, toolUses: {} } };
      const bounds = {
        ...{ inputTokens: 10_000_000, outputTokens: usage.outputTokens + moreOutput, cacheWrites: [] },
        terms: { speed: ["fast"], inferenceGeo: [], serviceTier: [] },
        toolUses: further.toolUses,
        isOneRun: true,
      };
      const highest = highestChargeAfter(told, bounds, prices);
      const terms = { model: { modelId: "m-1", prices } };
      const { amountMicrocents } = chargeOf({ ...usage, further }, terms);
      if (usage.inputTokens + usage.cacheWriteTokens + usage.cacheReadTokens === 0)
        expect(highest).toBe(null);
      else expect(highest).toBeGreaterThanOrEqual(amountMicrocents);
    }),
  );
});

test("the highest charge is that of the dearest kind of input that the bounds allow", () => {
  const terms = { speed: [], inferenceGeo: [], serviceTier: [] };
  const bounds = { inputTokens: MILLION, outputTokens: 0, terms, toolUses: {}, isOneRun: true };
  const highest = (cacheWrites: readonly CacheLifetime[]) =>
    highestChargeOf({ ...bounds, cacheWrites }, ALL_PRICES);
  expect(highest([])).toBe(ALL_PRICES.inputMicrocents);
  expect(highest(["5m"])).toBe(ALL_PRICES.cacheWriteMicrocents);
  expect(highest(["1h"])).toBe(FURTHER.cacheWriteHourMicrocents);
});

test("the highest charge is rounded up, as charges are, also when the input is told", () => {
  const prices = { ...PRICES, inputMicrocents: microcents(1n), cacheReadMicrocents: microcents(0n) };
  const terms = { speed: [], inferenceGeo: [], serviceTier: [] };
  const bounds = { inputTokens: 1, outputTokens: 0, cacheWrites: [], terms, toolUses: {}, isOneRun: true };
  expect(highestChargeOf(bounds, prices)).toBe(1n);
  expect(highestChargeAfter({ ...NO_TOKENS, inputTokens: 1 }, bounds, prices)).toBe(1n);
});

function withoutTiers(prices: ModelPrices): ModelPrices {
  return prices.further === undefined ? prices : { ...prices, further: { ...prices.further, tiers: [] } };
}
