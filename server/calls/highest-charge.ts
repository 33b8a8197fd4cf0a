import {
  FACTOR_ONE_HUNDREDTHS,
  type FactorKind,
  factorOf,
  furtherPricesOf,
  type ModelPrices,
  tokenPricesFor,
  toolPriceOf,
} from "../models/prices.ts";
import { type Microcents, microcents } from "../money/microcents.ts";
import { NOTHING_FURTHER, type TokenUsage } from "./token-usage.ts";

/** The most that one model may use in a call. */
export interface UsageBounds {
  /** All input together: new, written into the cache and read from it. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** For how long input may be written into the cache. */
  readonly cacheWrites: readonly CacheLifetime[];
  /** Every speed, region and service tier that the answer may have beside the standard one. */
  readonly terms: Readonly<Record<FactorKind, readonly string[]>>;
  /** How often each server-side tool may be used, by its name. */
  readonly toolUses: Readonly<Record<string, number>>;
  /** Whether the model runs once, so that the beginning of the answer tells all of the input. */
  readonly isOneRun: boolean;
}

/** How long an entry of the upstream's prompt cache lives. */
export type CacheLifetime = "5m" | "1h";

const SCALE = 1_000_000_000_000n;
const FACTOR_KINDS = ["speed", "inferenceGeo", "serviceTier"] as const;

/**
 * The highest charge for whatever usage stays within the bounds: no `chargeOf` is more. What has no price counts as it is
 * charged.
 * @throws {RangeError} a bound is not whole.
 */
export function highestChargeOf(bounds: UsageBounds, prices: ModelPrices): Microcents {
  const { tiers, cacheWriteHourMicrocents } = furtherPricesOf(prices);
  const reached = tiers.filter(({ aboveInputTokens }) => bounds.inputTokens > aboveInputTokens);
  const ofTokens = [{ ...prices, cacheWriteHourMicrocents }, ...reached].map((at) => {
    const inputPrices = [at.inputMicrocents, at.cacheReadMicrocents];
    if (bounds.cacheWrites.length > 0) inputPrices.push(at.cacheWriteMicrocents);
    if (bounds.cacheWrites.includes("1h")) {
      inputPrices.push(at.cacheWriteHourMicrocents ?? at.cacheWriteMicrocents);
    }
    return (
      BigInt(bounds.inputTokens) * highest(inputPrices) + BigInt(bounds.outputTokens) * at.outputMicrocents
    );
  });
  const factors = FACTOR_KINDS.map((kind) => highestFactor(prices, kind, bounds.terms[kind]));
  const exact =
    factors.reduce((amount, factor) => amount * factor, highest(ofTokens)) + ofTools(bounds, prices);
  return microcents((exact + SCALE - 1n) / SCALE);
}

/**
 * The same when the beginning of the answer has told the input: then only the output is still open. Null where it has not told
 * it all, or nothing that can be relied upon.
 */
export function highestChargeAfter(
  { inputTokens, cacheWriteTokens, cacheReadTokens, further = NOTHING_FURTHER }: TokenUsage,
  bounds: UsageBounds,
  prices: ModelPrices,
): Microcents | null {
  const allInput = inputTokens + cacheWriteTokens + cacheReadTokens;
  const isReliable = further.iterations.length === 0 && further.unknown.length === 0;
  if (!bounds.isOneRun || !isReliable || allInput === 0) return null;
  const at = tokenPricesFor(prices, allInput);
  const writePrices = [at.cacheWriteMicrocents, at.cacheWriteHourMicrocents ?? at.cacheWriteMicrocents];
  const ofTokens =
    BigInt(inputTokens) * at.inputMicrocents +
    BigInt(cacheWriteTokens) * highest(writePrices) +
    BigInt(cacheReadTokens) * at.cacheReadMicrocents +
    BigInt(bounds.outputTokens) * at.outputMicrocents;
  const factors = FACTOR_KINDS.map((kind) => {
    const told = further[kind];
    return highestFactor(prices, kind, told === null ? bounds.terms[kind] : [...bounds.terms[kind], told]);
  });
  const exact = factors.reduce((amount, factor) => amount * factor, ofTokens) + ofTools(bounds, prices);
  return microcents((exact + SCALE - 1n) / SCALE);
}

function highestFactor(prices: ModelPrices, kind: FactorKind, values: readonly string[]): bigint {
  const factors = values.map((value) => factorOf(prices, kind, value) ?? FACTOR_ONE_HUNDREDTHS);
  return BigInt(Math.max(FACTOR_ONE_HUNDREDTHS, ...factors));
}

/** In the scale of tokens at their prices and factors. */
function ofTools({ toolUses }: UsageBounds, prices: ModelPrices): bigint {
  const exact = Object.entries(toolUses).map(
    ([tool, uses]) => BigInt(uses) * (toolPriceOf(prices, tool) ?? 0n) * SCALE,
  );
  return exact.reduce((sum, each) => sum + each, 0n);
}

function highest(amounts: readonly bigint[]): bigint {
  return amounts.reduce((most, amount) => (amount > most ? amount : most), 0n);
}
