import type { Clock } from "../clock.ts";

const MINUTE_MS = 60_000;

export type LookBudget = ReturnType<typeof createLookBudget>;

/**
 * How often a supplier may be asked for buyers who only look, in any minute. It stays below the supplier's own limit, so that
 * there is always room for purchases; and when the supplier has had enough, only purchases go on.
 */
export function createLookBudget(looksPerMinute: number, clock: Clock = Date.now) {
  const takenAtMs: number[] = [];
  let restingUntilMs = 0;
  return {
    /** Takes one look. False: there is none left. */
    take(): boolean {
      const nowMs = clock();
      while (takenAtMs[0] !== undefined && takenAtMs[0] <= nowMs - MINUTE_MS) takenAtMs.shift();
      if (nowMs < restingUntilMs || takenAtMs.length >= looksPerMinute) return false;
      takenAtMs.push(nowMs);
      return true;
    },

    /** The supplier has refused a request, of whatever kind, since there were too many. */
    rest(retryAfterMs: number): void {
      restingUntilMs = Math.max(restingUntilMs, clock() + Math.min(retryAfterMs, MINUTE_MS));
    },
  };
}
