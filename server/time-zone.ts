import { InvalidFieldError } from "./errors.ts";

/** The unit of all time zones: every one is a multiple of it away from UTC, and changes its clock on one. */
export const QUARTER_HOUR_MS = 15 * 60_000;

// From UTC-12 to UTC+14.
const MAX_OFFSET_MS = 15 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** A time zone of the IANA list. */
export interface TimeZone {
  readonly name: string;
  /** What a clock on the wall shows at a moment, as if it showed UTC: Unix milliseconds. */
  localTimeMs(timeMs: number): number;
}

/** A day of the calendar; the 32nd of December is the first of January. */
export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

/** @param name such as `Europe/Berlin`. @throws {InvalidFieldError} there is no such zone. */
export function timeZone(name: string): TimeZone {
  const offsetMs = offsetsOf(formatIn(name));
  const atMidnight = new Map<number, number>();
  const offsetAtMidnight = (day: number) => {
    const known = atMidnight.get(day) ?? offsetMs(day * DAY_MS);
    atMidnight.set(day, known);
    return known;
  };
  return {
    name,
    // Asking the calendar takes long, and no zone changes its clocks twice in a day.
    localTimeMs(timeMs) {
      const day = Math.floor(timeMs / DAY_MS);
      const offset = offsetAtMidnight(day);
      return timeMs + (offset === offsetAtMidnight(day + 1) ? offset : offsetMs(timeMs));
    },
  };
}

/** The day that it is in a zone. */
export function calendarDay(zone: TimeZone, timeMs: number): CalendarDay {
  const local = new Date(zone.localTimeMs(timeMs));
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
}

/** When a day begins in a zone: midnight, or what comes next where clocks are put forward at midnight. */
export function startOfDay(zone: TimeZone, { year, month, day }: CalendarDay): number {
  const midnightMs = Date.UTC(year, month - 1, day);
  let beforeMs = midnightMs - MAX_OFFSET_MS;
  let startMs = midnightMs + MAX_OFFSET_MS;
  while (startMs - beforeMs > QUARTER_HOUR_MS) {
    const quarters = (startMs - beforeMs) / QUARTER_HOUR_MS;
    const middleMs = beforeMs + Math.floor(quarters / 2) * QUARTER_HOUR_MS;
    if (zone.localTimeMs(middleMs) >= midnightMs) startMs = middleMs;
    else beforeMs = middleMs;
  }
  return startMs;
}

/** A moment in ISO 8601 as a zone's clocks show it, in whole seconds, such as `2026-11-01T00:00:00+01:00`. */
export function localIsoTime(zone: TimeZone, timeMs: number): string {
  const localMs = zone.localTimeMs(timeMs);
  const minutes = Math.abs(localMs - timeMs) / 60_000;
  const [hour, minute] = [minutes / 60, minutes % 60].map((part) => `${Math.floor(part)}`.padStart(2, "0"));
  return `${new Date(localMs).toISOString().slice(0, 19)}${localMs < timeMs ? "-" : "+"}${hour}:${minute}`;
}

/** What is to be added to UTC, moment by moment. */
function offsetsOf(format: Intl.DateTimeFormat): (timeMs: number) => number {
  return (timeMs) => {
    const parts = format.formatToParts(timeMs);
    const [year, month, day, hour, minute, second] = FIELDS.map((field) =>
      Number(parts.find(({ type }) => type === field)?.value),
    ) as [number, number, number, number, number, number];
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(timeMs / 1_000) * 1_000;
  };
}

const FIELDS = ["year", "month", "day", "hour", "minute", "second"] as const;

function formatIn(name: string): Intl.DateTimeFormat {
  try {
    // An offset such as +05:45 is no zone: it knows no summer.
    if (/^[+-]/.test(name)) throw new RangeError("an offset");
    return new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      ...Object.fromEntries(FIELDS.map((field) => [field, "numeric"])),
    });
  } catch {
    throw new InvalidFieldError(
      "timeZone",
      `There is no time zone ${JSON.stringify(name)}; write one such as Europe/Berlin or UTC.`,
    );
  }
}
