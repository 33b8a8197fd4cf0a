import { createContext, use } from "react";
import { momentAt, wallTime } from "./wall-time.ts";
import { zoneFormats } from "./zone-formats.ts";

/** The zone of who looks. */
export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const formatIn = zoneFormats("en-GB", {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});

/** The zone in which a page shows times: the browser's, or the account's, which is null until it is known. */
export const TimeZoneContext = createContext<string | null>(BROWSER_ZONE);

/** The zone in which the page shows times. */
export function useTimeZone(): string {
  return use(TimeZoneContext) ?? BROWSER_ZONE;
}

/** A moment in the page's zone, which is named beside it; the same in UTC is its title. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {timeText(at, useTimeZone())}
    </time>
  );
}

/** A moment in a zone, the browser's where none is given, with its name. */
export function timeText(at: string, timeZone = BROWSER_ZONE): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : formatIn(timeZone).format(time);
}

/** A moment that may be missing. */
export function TimeOr({ at, otherwise }: { at: string | null; otherwise: string }) {
  return at === null ? otherwise : <Time at={at} />;
}

/** A moment as `<input type="datetime-local">` writes it; "" for none. */
export function localInput(at: string | null, timeZone: string): string {
  return at === null ? "" : wallTime(new Date(at), timeZone);
}

/** What such an input holds, as the contract writes it; null for nothing. What is no moment stays, for the service to refuse. */
export function momentOf(input: string, timeZone: string): string | null {
  return input === "" ? null : (momentAt(input, timeZone)?.toISOString() ?? input);
}
