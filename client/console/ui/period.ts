import { daysLater, momentAt, wallTime } from "./wall-time.ts";

/** From a moment up to another, which is not a part of it, as the contract writes them. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** A period that may be open. */
export interface Asked {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Days of a calendar, such as `2026-11-20`; the last is a part of it. "" for none. */
export interface Days {
  readonly fromDay: string;
  readonly toDay: string;
}

/** The last so many days, with the present one. */
export function lastDays(count: number, timeZone: string, now = new Date()): Period {
  const toDay = dayAt(now, timeZone);
  return { from: startOf(daysLater(toDay, 1 - count), timeZone), to: startOf(daysLater(toDay, 1), timeZone) };
}

/** A period, which begins with the first there is and ends with the present day where it does not say it. */
export function withinAll({ from, to }: Asked, timeZone: string, now = new Date()): Period {
  return {
    from: from ?? new Date(0).toISOString(),
    to: to ?? lastDays(1, timeZone, now).to,
  };
}

/** The period of days; what was not chosen is left out, and what is no day stays, for the service to refuse. */
export function periodOf({ fromDay, toDay }: Days, timeZone: string): Partial<Period> {
  return {
    ...(fromDay !== "" && { from: startOf(fromDay, timeZone) }),
    ...(toDay !== "" && { to: isDay(toDay) ? startOf(daysLater(toDay, 1), timeZone) : toDay }),
  };
}

/** The days that a period has something of. */
export function daysOf({ from, to }: Asked, timeZone: string): Days {
  const last = to === undefined ? null : new Date(Date.parse(to) - 1);
  return {
    fromDay: dayOr(from === undefined ? null : new Date(from), timeZone),
    toDay: dayOr(last, timeZone),
  };
}

function dayAt(time: Date, timeZone: string): string {
  return wallTime(time, timeZone).slice(0, 10);
}

function dayOr(time: Date | null, timeZone: string): string {
  return time === null || Number.isNaN(time.getTime()) ? "" : dayAt(time, timeZone);
}

function isDay(text: string): boolean {
  return !Number.isNaN(Date.parse(`${text}T00:00Z`));
}

function startOf(day: string, timeZone: string): string {
  return momentAt(`${day}T00:00`, timeZone)?.toISOString() ?? day;
}
