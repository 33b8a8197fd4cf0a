import type { Bars } from "../../ui/stacks.ts";
import { compareAmounts, sumOf } from "../../ui/sum-of.ts";

/** What a key, a model or a product comes to in a bucket. */
export interface Figure {
  readonly group: string | null;
  readonly amount: string;
}

/** What each of them comes to in all buckets. */
export interface Sum<Each extends Figure> {
  readonly id: string;
  readonly amount: string;
  readonly figures: readonly Each[];
}

interface Bucket<Each extends Figure> {
  readonly groups: readonly Each[];
}

/** What each comes to, those first that come to most. */
export function sumGroups<Each extends Figure>(buckets: readonly Bucket<Each>[]): Sum<Each>[] {
  const byGroup = Map.groupBy(
    buckets.flatMap(({ groups }) => groups),
    ({ group }) => group ?? "",
  );
  return [...byGroup.entries()]
    .map(([id, figures]) => ({ id, amount: sumOf(figures.map(({ amount }) => amount)), figures }))
    .toSorted((one, other) => compareAmounts(other.amount, one.amount) || (one.id < other.id ? -1 : 1));
}

/** A bar for each of the first, and one for all others together where they are more than there are colours. */
export function barsOf<Each extends Figure>(
  buckets: readonly Bucket<Each>[],
  sums: readonly Pick<Sum<Each>, "id">[],
  nameOf: (id: string) => string,
  maxBars: number,
): Bars[] {
  const first = sums.length > maxBars ? sums.slice(0, maxBars - 1) : sums;
  const ids = new Set(first.map(({ id }) => id));
  const amountsOf = (isOfIt: (id: string) => boolean) =>
    buckets.map(({ groups }) =>
      sumOf(groups.filter(({ group }) => isOfIt(group ?? "")).map(({ amount }) => amount)),
    );
  const bars = first.map(({ id }) => ({ name: nameOf(id), amounts: amountsOf((one) => one === id) }));
  const others = { name: "Others", amounts: amountsOf((one) => !ids.has(one)) };
  return first.length < sums.length ? [...bars, others] : bars;
}
