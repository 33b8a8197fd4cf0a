import { InvalidFieldError } from "../errors.ts";
import { calendarDay, QUARTER_HOUR_MS, startOfDay, type TimeZone } from "../time-zone.ts";

const HOUR_MS = 4 * QUARTER_HOUR_MS;
const MAX_BUCKETS = 10_000;

/** How long a bucket is: a quarter of an hour, an hour, a day or a month (ISO 8601). */
export const GRANULARITIES = ["PT15M", "PT1H", "P1D", "P1M"] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** From a moment up to another, which is not a part of it. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Buckets of one length that follow each other. */
export interface Run extends Period {
  readonly lengthMs: number;
  readonly firstBucket: number;
}

/** @throws {InvalidFieldError} it is none, or begins or ends within a quarter of an hour. */
export function checkPeriod({ fromMs, toMs }: Period): void {
  if (fromMs < 0) throw new InvalidFieldError("from", "Times count from 1970 on.");
  if (fromMs >= toMs) throw new InvalidFieldError("to", "The period ends before it begins.");
  for (const [field, timeMs] of [
    ["from", fromMs],
    ["to", toMs],
  ] as const)
    if (timeMs % QUARTER_HOUR_MS !== 0)
      throw new InvalidFieldError(
        field,
        "A period begins and ends on a quarter of an hour, such as 06:00 or 06:15.",
      );
}

/**
 * The hours, days or months of a zone's calendar that a period consists of; the first and the last are cut where the period
 * begins and ends. A day on which clocks are changed has 23 or 25 hours.
 * @throws {InvalidFieldError} it is no period, or they are more than 10,000.
 */
export function bucketsOf(period: Period, granularity: Granularity, zone: TimeZone): Period[] {
  checkPeriod(period);
  const buckets: Period[] = [];
  for (let fromMs = period.fromMs; fromMs < period.toMs; ) {
    if (buckets.length === MAX_BUCKETS)
      throw new InvalidFieldError(
        "granularity",
        `The period has more than ${MAX_BUCKETS} buckets; ask for a shorter one, or for longer buckets.`,
      );
    const toMs = Math.min(bucketEnd(fromMs, granularity, zone), period.toMs);
    buckets.push({ fromMs, toMs });
    fromMs = toMs;
  }
  return buckets;
}

/** The buckets as runs of equal length, of which a database can tell by a division which bucket a moment is in. */
export function runsOf(buckets: readonly Period[]): Run[] {
  const runs: Run[] = [];
  for (const [index, { fromMs, toMs }] of buckets.entries()) {
    const last = runs.at(-1);
    if (last?.lengthMs === toMs - fromMs) runs[runs.length - 1] = { ...last, toMs };
    else runs.push({ fromMs, toMs, lengthMs: toMs - fromMs, firstBucket: index });
  }
  return runs;
}

function bucketEnd(timeMs: number, granularity: Granularity, zone: TimeZone): number {
  if (granularity === "PT15M") return timeMs + QUARTER_HOUR_MS;
  if (granularity === "PT1H") return nextHour(timeMs, zone);
  const { year, month, day } = calendarDay(zone, timeMs);
  if (granularity === "P1M") return startOfDay(zone, { year, month: month + 1, day: 1 });
  // A zone that changes the side of the date line leaves a day out, which then begins with the next.
  return startOfDay(zone, { year, month, day: day + 1 });
}

function nextHour(timeMs: number, zone: TimeZone): number {
  const localMs = zone.localTimeMs(timeMs);
  const restMs = HOUR_MS - (localMs % HOUR_MS);
  if (zone.localTimeMs(timeMs + restMs) === localMs + restMs) return timeMs + restMs;
  // Clocks are changed in between, perhaps by less than an hour.
  let nextMs = timeMs + QUARTER_HOUR_MS;
  while (zone.localTimeMs(nextMs) % HOUR_MS !== 0) nextMs += QUARTER_HOUR_MS;
  return nextMs;
}
