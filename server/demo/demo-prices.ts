import type { LevelPrices } from "../catalog/product.ts";
import { type Microcents, microcents } from "../money/microcents.ts";

const MICROCENTS_PER_CENT = 1_000_000n;

/** An amount of money from whole cents. */
export function inMicrocents(cents: number): Microcents {
  return microcents(BigInt(cents) * MICROCENTS_PER_CENT);
}

/** The prices of level 1 to level 5 in whole cents. */
export function pricesInCents(
  cents: readonly [level1: number, level2: number, level3: number, level4: number, level5: number],
): LevelPrices {
  const [level1, level2, level3, level4, level5] = cents;
  return {
    1: inMicrocents(level1),
    2: inMicrocents(level2),
    3: inMicrocents(level3),
    4: inMicrocents(level4),
    5: inMicrocents(level5),
  };
}
