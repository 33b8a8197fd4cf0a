import type { TokenUsage } from "../../calls/token-usage.ts";

/** A usage as an answer tells it, in the vendor's words. */
export type ToldUsage = Readonly<Record<string, unknown>>;

/** What the end of a stream tells of a usage; the rest stands in its beginning. */
const TOLD_AT_THE_END = new Set([
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "output_tokens_details",
  "server_tool_use",
  "iterations",
]);

/** The four counts that every call has. */
export function countsTold(usage: TokenUsage): ToldUsage {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
  };
}

/** What the beginning of a stream tells of a usage: the vendor's first count of output is no count of what follows. */
export function toldAtTheBeginning(told: ToldUsage): ToldUsage {
  const { iterations: _iterations, server_tool_use: _uses, ...rest } = told;
  return { ...rest, output_tokens: 1 };
}

export function toldAtTheEnd(told: ToldUsage): ToldUsage {
  return Object.fromEntries(Object.entries(told).filter(([name]) => TOLD_AT_THE_END.has(name)));
}

/** What holds when something was told before: each count that is told takes the place of the one before. */
export function merged(before: ToldUsage | null, told: ToldUsage): ToldUsage {
  const said = Object.entries(told).filter(([, value]) => value !== null && value !== undefined);
  return { ...before, ...Object.fromEntries(said) };
}
