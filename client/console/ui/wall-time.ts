import { zoneFormats } from "./zone-formats.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Sweden writes times as ISO 8601 does. */
const formatIn = zoneFormats("sv-SE", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
});

/** What a clock on the wall shows at a moment, such as `2026-11-20T10:41`; in UTC where there is no such zone. */
export function wallTime(time: Date, timeZone: string): string {
  return formatIn(timeZone).format(time).replace(" ", "T");
}

/**
 * The moment at which a clock on the wall shows that, the first of two; where clocks are put forward over it, as much later as they
 * are. null for what is no such time.
 */
export function momentAt(wall: string, timeZone: string): Date | null {
  const wallMs = Date.parse(`${wall}Z`);
  if (Number.isNaN(wallMs)) return null;
  const [before, after] = [wallMs - DAY_MS, wallMs + DAY_MS].map(
    (nearMs) => new Date(wallMs - offsetMs(nearMs, timeZone)),
  ) as [Date, Date];
  return wallTime(before, timeZone) !== wall && wallTime(after, timeZone) === wall ? after : before;
}

/** The day so many days later, or earlier; such as `2026-11-20`. */
export function daysLater(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function offsetMs(nearMs: number, timeZone: string): number {
  const minuteMs = Math.floor(nearMs / 60_000) * 60_000;
  return Date.parse(`${wallTime(new Date(minuteMs), timeZone)}Z`) - minuteMs;
}
