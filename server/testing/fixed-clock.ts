import type { Clock } from "../clock.ts";

/** A clock that stands still until it is moved. */
export interface FixedClock {
  readonly clock: Clock;
  set(time: string): void;
  advance(milliseconds: number): void;
}

/** @param time ISO 8601, such as `2026-03-01T23:59:00Z`. */
export function fixedClock(time: string): FixedClock {
  let nowMs = Date.parse(time);
  return {
    clock: () => nowMs,
    set(later) {
      nowMs = Date.parse(later);
    },
    advance(milliseconds) {
      nowMs += milliseconds;
    },
  };
}
