/** The current time in Unix milliseconds; replaced in tests that move time. */
export type Clock = () => number;

/** The UTC day of a moment, as `YYYY-MM-DD`. */
export function utcDay(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

/** A moment in whole Unix seconds, as the ordering interface prints it. */
export function unixSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000);
}
