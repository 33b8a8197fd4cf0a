import { zoneFormats } from "./zone-formats.ts";

const DAY = { year: "numeric", month: "short", day: "numeric" } as const;
const FORMATS: Readonly<Record<string, (timeZone: string) => Intl.DateTimeFormat>> = {
  PT1H: zoneFormats("en-GB", { ...DAY, hour: "2-digit", minute: "2-digit", timeZoneName: "short" }),
  P1D: zoneFormats("en-GB", DAY),
  P1M: zoneFormats("en-GB", { year: "numeric", month: "short" }),
};

/** What an hour, a day or a month of a zone is called, by where it begins. */
export function bucketText(from: string, granularity: string, timeZone: string): string {
  return FORMATS[granularity]?.(timeZone).format(new Date(from)) ?? from;
}
