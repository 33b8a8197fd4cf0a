import { type CalendarDay, startOfDay, type TimeZone } from "../time-zone.ts";
import { moment } from "./moment.ts";

/** A day of some calendar, or a moment in Unix milliseconds. */
export type DayOrMoment = CalendarDay | number;

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

/** What stands for the beginning of a day wherever it is asked for, or a moment, UTC unless it says otherwise. */
export function dayOrMoment(value: string): DayOrMoment {
  const timeMs = moment(value);
  const [year, month, day] = DAY.exec(value)?.slice(1).map(Number) ?? [];
  return year === undefined || month === undefined || day === undefined ? timeMs : { year, month, day };
}

/** @returns Unix milliseconds. */
export function momentIn(value: DayOrMoment, zone: TimeZone): number {
  return typeof value === "number" ? value : startOfDay(zone, value);
}
