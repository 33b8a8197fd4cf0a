import { MICROCENTS_PER_USD, type Microcents, microcents, subtract } from "../money/microcents.ts";

/** An account level: what its owner has topped up decides which prices it gets. */
export type Level = 1 | 2 | 3 | 4 | 5;

export const LEVELS: readonly Level[] = [1, 2, 3, 4, 5];

/** The cumulative top-up that each level asks for. */
export const LEVEL_THRESHOLDS: Readonly<Record<Level, Microcents>> = {
  1: microcents(0n),
  2: microcents(100n * MICROCENTS_PER_USD),
  3: microcents(500n * MICROCENTS_PER_USD),
  4: microcents(2_000n * MICROCENTS_PER_USD),
  5: microcents(10_000n * MICROCENTS_PER_USD),
};

/** Where an account stands: its level, the score behind it, and what the next level still asks for (null at the top). */
export interface LevelProgress {
  readonly level: Level;
  readonly scoreMicrocents: Microcents;
  readonly next: {
    readonly level: Level;
    readonly thresholdMicrocents: Microcents;
    readonly remainingMicrocents: Microcents;
  } | null;
}

/** The level that a cumulative top-up score gives. */
export function levelOf(scoreMicrocents: Microcents): Level {
  return LEVELS.findLast((level) => scoreMicrocents >= LEVEL_THRESHOLDS[level]) ?? 1;
}

/** The standing that a cumulative top-up score gives. */
export function levelProgressOf(scoreMicrocents: Microcents): LevelProgress {
  const level = levelOf(scoreMicrocents);
  const next = LEVELS.find((candidate) => candidate > level);
  if (next === undefined) return { level, scoreMicrocents, next: null };
  const thresholdMicrocents = LEVEL_THRESHOLDS[next];
  const remainingMicrocents = subtract(thresholdMicrocents, scoreMicrocents);
  return { level, scoreMicrocents, next: { level: next, thresholdMicrocents, remainingMicrocents } };
}
