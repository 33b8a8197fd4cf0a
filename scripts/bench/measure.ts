/** Something that is measured once per round. */
export type Measurement<Measured> = () => Promise<Measured>;

/** What came of all rounds, by the name of what was measured. */
export type Rounds<Name extends string, Measured> = Readonly<Record<Name, readonly Measured[]>>;

/**
 * Measures everything once per round, in turn (A B A B …), so that whatever else the machine does meets all alike.
 * A first round warms up and is thrown away.
 */
export async function interleave<Name extends string, Measured>(
  rounds: number,
  measurements: Readonly<Record<Name, Measurement<Measured>>>,
): Promise<Rounds<Name, Measured>> {
  const names = Object.keys(measurements) as Name[];
  const all = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Measured[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const measured = await measurements[name]();
      if (round > 0) all[name].push(measured);
    }
  }
  return all;
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted[sorted.length - 1 - middle];
  if (upper === undefined || lower === undefined) throw new Error("There is no median of nothing.");
  return (lower + upper) / 2;
}

/** The ratios of two series, round by round. */
export function ratios(dividends: readonly number[], divisors: readonly number[]): number[] {
  return dividends.map((dividend, round) => dividend / (divisors[round] ?? Number.NaN));
}
