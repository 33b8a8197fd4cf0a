import fc from "fast-check";
import type { FurtherUsage, Iteration, TokenCounts, TokenUsage } from "../calls/token-usage.ts";
import {
  type AllTokenPrices,
  type FurtherPrices,
  MAX_TOKEN_PRICE_MICROCENTS,
  type ModelPrices,
} from "../models/prices.ts";
import { microcents } from "../money/microcents.ts";

const SPEEDS = ["standard", "fast"];
const REGIONS = ["global", "us", "not_available"];
const TIERS = ["standard", "priority"];
const TOOLS = ["web_search", "web_fetch", "code_execution"];

/** Any usage that an upstream may tell, over all counters. */
export function anyUsage(): fc.Arbitrary<TokenUsage> {
  const further = fc.option(anyFurtherUsage(), { nil: undefined });
  return fc
    .tuple(anyCounts(), further)
    .map(([counts, more]) => (more === undefined ? counts : { ...counts, further: capped(counts, more) }));
}

/** Any prices of a model, in every dimension or some of them. */
export function anyModelPrices(): fc.Arbitrary<ModelPrices> {
  const further: fc.Arbitrary<FurtherPrices> = fc.record({
    cacheWriteHourMicrocents: fc.option(anyPrice()),
    tiers: fc
      .tuple(fc.integer({ min: 1, max: 300_000 }), fc.integer({ min: 300_001, max: 900_000 }))
      .chain((thresholds) => fc.subarray(thresholds))
      .chain((thresholds) => fc.tuple(...thresholds.map(anyTier))),
    factors: fc.record({
      speed: someOf(SPEEDS, fc.integer({ min: 1, max: 10_000 })),
      inferenceGeo: someOf(REGIONS, fc.integer({ min: 1, max: 300 })),
      serviceTier: someOf(TIERS, fc.integer({ min: 1, max: 300 })),
    }),
    toolUses: someOf(TOOLS, fc.bigInt({ min: 0n, max: 10n ** 9n }).map(microcents)),
  });
  return fc
    .tuple(anyTokenPrices(), fc.option(further, { nil: undefined }))
    .map(([{ cacheWriteHourMicrocents: _hour, ...prices }, more]) =>
      more === undefined ? prices : { ...prices, further: more },
    );
}

function anyTier(aboveInputTokens: number) {
  return anyTokenPrices().map((prices) => ({ aboveInputTokens, ...prices }));
}

function anyTokenPrices(): fc.Arbitrary<AllTokenPrices> {
  return fc.record({
    inputMicrocents: anyPrice(),
    outputMicrocents: anyPrice(),
    cacheWriteMicrocents: anyPrice(),
    cacheReadMicrocents: anyPrice(),
    cacheWriteHourMicrocents: fc.option(anyPrice()),
  });
}

function anyPrice() {
  return fc
    .oneof(
      fc.bigInt({ min: 0n, max: 10n ** 10n }),
      fc.bigInt({ min: 0n, max: MAX_TOKEN_PRICE_MICROCENTS / 1_000n }),
    )
    .map(microcents);
}

function anyCounts(): fc.Arbitrary<TokenCounts> {
  const tokens = fc.oneof(fc.nat({ max: 2_000 }), fc.nat({ max: 1_000_000 }), fc.constant(0));
  return fc.record({
    inputTokens: tokens,
    outputTokens: tokens,
    cacheWriteTokens: tokens,
    cacheReadTokens: tokens,
  });
}

function anyFurtherUsage(): fc.Arbitrary<FurtherUsage> {
  const iteration: fc.Arbitrary<Iteration> = fc
    .tuple(
      anyCounts(),
      fc.constantFrom("message", "fallback_message", "compaction", "advisor_message"),
      fc.nat(),
    )
    .map(([counts, type, hour]) => ({
      ...counts,
      type,
      modelId: null,
      cacheWriteHourTokens: counts.cacheWriteTokens === 0 ? 0 : hour % (counts.cacheWriteTokens + 1),
    }));
  return fc.record({
    cacheWriteHourTokens: fc.nat({ max: 1_000_000 }),
    toolUses: someOf(TOOLS, fc.nat({ max: 1_000 })),
    speed: fc.option(fc.constantFrom(...SPEEDS)),
    inferenceGeo: fc.option(fc.constantFrom(...REGIONS)),
    serviceTier: fc.option(fc.constantFrom(...TIERS)),
    iterations: fc.array(iteration, { maxLength: 4 }),
    unknown: fc.constant([]),
  });
}

function capped({ cacheWriteTokens }: TokenCounts, further: FurtherUsage): FurtherUsage {
  return { ...further, cacheWriteHourTokens: Math.min(further.cacheWriteHourTokens, cacheWriteTokens) };
}

function someOf<T>(names: readonly string[], value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length, noNullPrototype: true });
}
