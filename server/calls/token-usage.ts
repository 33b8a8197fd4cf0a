import type { TokenPrices } from "../models/prices.ts";
import { type Microcents, microcents } from "../money/microcents.ts";

/** Tokens by kind: whole numbers, none below zero. No token is of two kinds. */
export interface TokenCounts {
  /** Input that was neither written into the prompt cache nor read from it. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** For whatever time. */
  readonly cacheWriteTokens: number;
  readonly cacheReadTokens: number;
}

/** What one call used. */
export interface TokenUsage extends TokenCounts {
  /** What not every call has; absent when there is none of it. */
  readonly further?: FurtherUsage;
}

/** What a call used beside the tokens that every call has. */
export interface FurtherUsage {
  /** Those of the cache writes that are for an hour. */
  readonly cacheWriteHourTokens: number;
  /** How often each server-side tool was used, by its name. */
  readonly toolUses: Readonly<Record<string, number>>;
  /** What the answer says of its speed, region and service tier; null: nothing. */
  readonly speed: string | null;
  readonly inferenceGeo: string | null;
  readonly serviceTier: string | null;
  /** The runs of models that made the answer, where it tells them. */
  readonly iterations: readonly Iteration[];
  /** Counters that are not known and not zero, by their names. */
  readonly unknown: readonly string[];
}

/**
 * One run of a model within a call. Those of type `message` and `fallback_message` made the answer itself, whose counts
 * contain them; the counts of others (`compaction`, `advisor_message`) stand beside them.
 */
export interface Iteration extends TokenCounts {
  readonly type: string;
  /** Null: the model that the call names. */
  readonly modelId: string | null;
  readonly cacheWriteHourTokens: number;
}

/** Not a single token. */
export const NO_TOKENS: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheWriteTokens: 0,
  cacheReadTokens: 0,
};

/** Nothing beyond tokens at their plain prices. */
export const NOTHING_FURTHER: FurtherUsage = {
  cacheWriteHourTokens: 0,
  toolUses: {},
  speed: null,
  inferenceGeo: null,
  serviceTier: null,
  iterations: [],
  unknown: [],
};

const TOKENS_PER_PRICE = 1_000_000n;

/**
 * What tokens cost: the exact sum over all kinds, rounded up once to a whole microcent.
 * @throws {RangeError} a number of tokens is not whole.
 */
export function costOf(usage: TokenUsage, prices: TokenPrices): Microcents {
  const millionths =
    BigInt(usage.inputTokens) * prices.inputMicrocents +
    BigInt(usage.outputTokens) * prices.outputMicrocents +
    BigInt(usage.cacheWriteTokens) * prices.cacheWriteMicrocents +
    BigInt(usage.cacheReadTokens) * prices.cacheReadMicrocents;
  return microcents((millionths + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE);
}
