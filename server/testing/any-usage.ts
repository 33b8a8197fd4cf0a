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
const TOOLS = ["web_search", "web_fetch"];

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
      speed: someOf(["fast"], fc.integer({ min: 1, max: 10_000 })),
      inferenceGeo: someOf(["us"], fc.integer({ min: 1, max: 300 })),
      serviceTier: someOf(["priority"], fc.integer({ min: 1, max: 300 })),
    }),
    toolUses: someOf(TOOLS, anyToolPrice()),
  });
  return fc
    .tuple(anyTokenPrices(), fc.option(further, { nil: undefined }))
    .map(([{ cacheWriteHourMicrocents: _hour, ...prices }, more]) =>
      more === undefined ? prices : { ...prices, further: more },
    );
}

/** The same with a price for all that {@link anyToldUsage} tells. */
export function anyCompletePrices(): fc.Arbitrary<ModelPrices> {
  const complete = fc.record({
    hour: anyPrice(),
    factor: fc.integer({ min: 1, max: 10_000 }),
    use: anyToolPrice(),
  });
  return fc.tuple(anyModelPrices(), complete).map(([{ further, ...prices }, { hour, factor, use }]) => ({
    ...prices,
    further: {
      cacheWriteHourMicrocents: further?.cacheWriteHourMicrocents ?? hour,
      tiers: (further?.tiers ?? []).map((tier) => ({
        ...tier,
        cacheWriteHourMicrocents: tier.cacheWriteHourMicrocents ?? hour,
      })),
      factors: {
        speed: { fast: factor, ...further?.factors.speed },
        inferenceGeo: { us: 110, ...further?.factors.inferenceGeo },
        serviceTier: { priority: factor, ...further?.factors.serviceTier },
      },
      toolUses: { web_search: use, ...further?.toolUses },
    },
  }));
}

/**
 * Any usage in the vendor's words, over all counters, as an answer may tell it: the runs for the answer, where they are told,
 * come to its own counts.
 * @param modelIds the model that the call names, and others that iterations may name.
 */
export function anyToldUsage(modelIds: readonly [string, string]): fc.Arbitrary<Record<string, unknown>> {
  const [own, other] = modelIds;
  const run = fc
    .tuple(anyToldCounts(), fc.constantFrom(null, own))
    .map(([counts, model]) => ({ type: "message", model, ...counts }));
  const beside = fc.oneof(
    anyToldCounts().map((counts) => ({ type: "compaction", ...counts })),
    anyToldCounts().map((counts) => ({ type: "advisor_message", model: other, ...counts })),
  );
  const counted = fc.oneof(
    anyToldCounts().map((counts) => ({ ...counts, iterations: null })),
    fc
      .tuple(fc.array(run, { minLength: 1, maxLength: 3 }), fc.array(beside, { maxLength: 3 }))
      .map(([runs, others]) => ({ ...runs.reduce(sumOfCounts), iterations: [...others, ...runs] })),
  );
  const absent = Symbol("absent");
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.oneof(fc.constantFrom(null, absent), value);
  const uses = TOOLS.map((tool) => `${tool}_requests`);
  const beyond = fc.record({
    server_tool_use: maybe(someOf(uses, fc.nat({ max: 1_000 }))),
    speed: maybe(fc.constantFrom(...SPEEDS)),
    inference_geo: maybe(fc.constantFrom(...REGIONS)),
    service_tier: maybe(fc.constantFrom(...TIERS)),
    output_tokens_details: maybe(fc.record({ thinking_tokens: fc.nat({ max: 1_000 }) })),
  });
  return fc.tuple(counted, beyond).map(([counts, more]) => {
    const { type: _type, model: _model, ...usage } = { type: null, model: null, ...counts, ...more };
    return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== absent));
  });
}

type ToldCounts = ReturnType<typeof toldCounts>;

function anyToldCounts(): fc.Arbitrary<ToldCounts> {
  return fc.tuple(anyCounts(), fc.nat()).map(([counts, hour]) => toldCounts(counts, hour));
}

function toldCounts(counts: TokenCounts, hour: number) {
  const hourTokens = hour % (counts.cacheWriteTokens + 1);
  return {
    input_tokens: counts.inputTokens,
    output_tokens: counts.outputTokens,
    cache_creation_input_tokens: counts.cacheWriteTokens,
    cache_read_input_tokens: counts.cacheReadTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: counts.cacheWriteTokens - hourTokens,
      ephemeral_1h_input_tokens: hourTokens,
    },
  };
}

function sumOfCounts<Counts extends ToldCounts>(a: Counts, b: Counts): Counts {
  const { cache_creation: one } = a;
  const { cache_creation: other } = b;
  return {
    ...a,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
    cache_creation: {
      ephemeral_5m_input_tokens: one.ephemeral_5m_input_tokens + other.ephemeral_5m_input_tokens,
      ephemeral_1h_input_tokens: one.ephemeral_1h_input_tokens + other.ephemeral_1h_input_tokens,
    },
  };
}

function anyToolPrice() {
  return fc.bigInt({ min: 0n, max: 10n ** 9n }).map(microcents);
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
