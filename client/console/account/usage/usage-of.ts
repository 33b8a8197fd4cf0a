import type { components } from "../../../../generated/account/types.ts";
import { sumOf } from "../../ui/sum-of.ts";

/** The calls of a key or a model, or of all. */
export type Usage = components["schemas"]["CallFigures"];
type Bucket = components["schemas"]["CallBucket"];

/** What each key or model comes to over all buckets, by their ids. */
export function usageByGroup(buckets: readonly Bucket[]): Usage[] {
  const byGroup = Map.groupBy(
    buckets.flatMap(({ groups }) => groups),
    ({ group }) => group,
  );
  return [...byGroup.entries()]
    .map(([group, all]) => usageOf(group, all))
    .toSorted((one, other) => ((one.group ?? "") < (other.group ?? "") ? -1 : 1));
}

/** What figures come to, exactly. */
export function usageOf(group: string | null, all: readonly Usage[]): Usage {
  const sum = (count: (usage: Usage) => number) => all.reduce((before, usage) => before + count(usage), 0);
  return {
    group,
    completed: sum(({ completed }) => completed),
    clientAborted: sum(({ clientAborted }) => clientAborted),
    upstreamFailed: sum(({ upstreamFailed }) => upstreamFailed),
    rejected: sum(({ rejected }) => rejected),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    amount: sumOf(all.map(({ amount }) => amount)),
  };
}
