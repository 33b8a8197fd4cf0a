import {
  FACTOR_ONE_HUNDREDTHS,
  type FactorKind,
  factorOf,
  furtherPricesOf,
  type ModelPrices,
  toolPriceOf,
} from "../models/prices.ts";
import { type Microcents, microcents } from "../money/microcents.ts";

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
}

/** How long an entry of the upstream's prompt cache lives. */
export type CacheLifetime = "5m" | "1h";

const SCALE = 1_000_000_000_000n;
const FACTOR_KINDS = ["speed", "inferenceGeo", "serviceTier"] as const;

/**
 * The highest charge for whatever usage stays within the bounds: no `chargeOf` is more. What has no price counts as it is
 * charged; see {@link unpricedIn}, by which such a request is refused.
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

/** What the bounds allow and has no price, by the names that `Bill.unpriced` has. */
export function unpricedIn({ cacheWrites, terms, toolUses }: UsageBounds, prices: ModelPrices): string[] {
  const { tiers, cacheWriteHourMicrocents } = furtherPricesOf(prices);
  const names: string[] = [];
  const hourPrices = [cacheWriteHourMicrocents, ...tiers.map((tier) => tier.cacheWriteHourMicrocents)];
  if (cacheWrites.includes("1h") && hourPrices.includes(null)) {
    names.push("cache_creation.ephemeral_1h_input_tokens");
  }
  const unpriced = (kind: FactorKind) =>
    terms[kind].filter((value) => factorOf(prices, kind, value) === null);
  names.push(...unpriced("speed").map((value) => `speed=${value}`));
  names.push(...unpriced("inferenceGeo").map((value) => `inference_geo=${value}`));
  names.push(...unpriced("serviceTier").map((value) => `service_tier=${value}`));
  for (const [tool, uses] of Object.entries(toolUses)) {
    if (uses > 0 && toolPriceOf(prices, tool) === null) names.push(`server_tool_use.${tool}_requests`);
  }
  return names;
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
