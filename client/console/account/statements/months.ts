import { wallTime } from "../../ui/wall-time.ts";

/** The month of a moment in a zone, such as `2026-11`; where that is no zone, in UTC. */
export function monthAt(time: Date, timeZone: string): string {
  return wallTime(time, timeZone).slice(0, 7);
}

/** The month so many months later, or earlier. */
export function monthsLater(month: string, months: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const index = year * 12 + number - 1 + months;
  return `${String(Math.floor(index / 12)).padStart(4, "0")}-${String((index % 12) + 1).padStart(2, "0")}`;
}

/** A month for a person, such as `November 2026`; what is no month as it is. */
export function monthText(month: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
  const format = new Intl.DateTimeFormat("en", { timeZone: "UTC", year: "numeric", month: "long" });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
