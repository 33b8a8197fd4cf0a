import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_TOKEN_PRICE_MICROCENTS, type TokenPrices } from "../models/prices.ts";
import { microcents } from "../money/microcents.ts";
import { costOf, NO_TOKENS, type TokenUsage } from "./token-usage.ts";

const tokens = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const anyUsage: fc.Arbitrary<TokenUsage> = fc.record({
  inputTokens: tokens,
  outputTokens: tokens,
  cacheWriteTokens: tokens,
  cacheReadTokens: tokens,
});
const price = fc.bigInt({ min: 0n, max: MAX_TOKEN_PRICE_MICROCENTS }).map(microcents);
const anyPrices: fc.Arbitrary<TokenPrices> = fc.record({
  inputMicrocents: price,
  outputMicrocents: price,
  cacheWriteMicrocents: price,
  cacheReadMicrocents: price,
});

const KINDS = [
  ["inputTokens", "inputMicrocents"],
  ["outputTokens", "outputMicrocents"],
  ["cacheWriteTokens", "cacheWriteMicrocents"],
  ["cacheReadTokens", "cacheReadMicrocents"],
] as const;

/** The cost in millionths of a microcent, exact. */
function exactMillionths(usage: TokenUsage, prices: TokenPrices): bigint {
  return KINDS.reduce((sum, [kind, priced]) => sum + BigInt(usage[kind]) * prices[priced], 0n);
}

test("the cost is the exact sum, rounded up once to a whole microcent", () => {
  fc.assert(
    fc.property(anyUsage, anyPrices, (usage, prices) => {
      const above = costOf(usage, prices) * 1_000_000n - exactMillionths(usage, prices);
      expect(above >= 0n && above < 1_000_000n).toBe(true);
    }),
  );
});

test("no tokens cost nothing, and neither do tokens that have no price", () => {
  const free = {
    inputMicrocents: microcents(0n),
    outputMicrocents: microcents(0n),
    cacheWriteMicrocents: microcents(0n),
    cacheReadMicrocents: microcents(0n),
  };
  fc.assert(
    fc.property(anyUsage, anyPrices, (usage, prices) => {
      expect(costOf(NO_TOKENS, prices)).toBe(0n);
      expect(costOf(usage, free)).toBe(0n);
    }),
  );
});

test.each(KINDS)("%s are priced by %s alone", (kind, priced) => {
  fc.assert(
    fc.property(tokens, anyPrices, anyPrices, (count, prices, others) => {
      const usage = { ...NO_TOKENS, [kind]: count };
      const same = { ...others, [priced]: prices[priced] };
      expect(costOf(usage, prices)).toBe(costOf(usage, same));
      expect(costOf({ ...NO_TOKENS, [kind]: 1_000_000 }, prices)).toBe(prices[priced]);
    }),
  );
});

test("the kinds are rounded together: four times a quarter of a microcent is one", () => {
  const quarter = microcents(250_000n);
  const prices = {
    inputMicrocents: quarter,
    outputMicrocents: quarter,
    cacheWriteMicrocents: quarter,
    cacheReadMicrocents: quarter,
  };
  const usage = { inputTokens: 1, outputTokens: 1, cacheWriteTokens: 1, cacheReadTokens: 1 };
  expect(costOf(usage, prices)).toBe(1n);
  expect(costOf({ ...usage, outputTokens: 2 }, prices)).toBe(2n);
  expect(costOf({ ...NO_TOKENS, inputTokens: 1 }, prices)).toBe(1n);
});

test("a number of tokens that is not whole is refused", () => {
  const prices = {
    inputMicrocents: microcents(1n),
    outputMicrocents: microcents(1n),
    cacheWriteMicrocents: microcents(1n),
    cacheReadMicrocents: microcents(1n),
  };
  expect(() => costOf({ ...NO_TOKENS, inputTokens: 0.5 }, prices)).toThrow(RangeError);
});
