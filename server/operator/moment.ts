import { InvalidArgumentError } from "commander";
import { z } from "zod";

const day = z.iso.date();
const dateTime = z.iso.datetime({ offset: true, local: true });

/** A day or a moment, UTC unless it says otherwise. @returns Unix milliseconds. */
export function moment(value: string): number {
  if (day.safeParse(value).success) return Date.parse(value);
  if (dateTime.safeParse(value).success)
    return Date.parse(/Z|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`);
  throw new InvalidArgumentError("Write a day such as 2026-07-01, or a moment such as 2026-07-01T06:30:00Z.");
}
