import type { TokenPrices } from "../models/model.ts";
import { type Microcents, microcents } from "../money/microcents.ts";

/** Tokens of one call by kind: whole numbers, none below zero. No token is of two kinds. */
export interface TokenUsage {
  /** Input that was neither written into the prompt cache nor read from it. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheReadTokens: number;
}

/** Not a single token. */
export const NO_TOKENS: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheWriteTokens: 0,
  cacheReadTokens: 0,
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
