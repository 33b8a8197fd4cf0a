import { InvalidFieldError } from "../errors.ts";

/** A moment as the interfaces of pages print it. */
export function toApiTime(timeMs: number): string;
export function toApiTime(timeMs: number | null): string | null;
export function toApiTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

/** Bounds of a list, as far as they are given. */
export function toPeriod({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}) {
  return {
    fromMs: from === undefined ? undefined : toTimeMs("from", from),
    toMs: to === undefined ? undefined : toTimeMs("to", to),
  };
}

/**
 * A moment that is given as the document wants it, for a parameter of that name. @throws {InvalidFieldError} there is none on this
 * service's clock, which knows no leap seconds and no zones without minutes.
 */
export function toTimeMs(name: string, text: string): number {
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) throw new InvalidFieldError(name, "Give a moment such as 2026-11-01T00:00:00Z.");
  return timeMs;
}
