import type { Session } from "../database/database.ts";
import type { AccountId } from "../ids.ts";
import { entryTimesMs, firstEntrySince, lastEntrySequence } from "./ledger-store.ts";

/**
 * How much earlier an entry's time may be than that of an entry written before it: an order bears the time at which it came,
 * and is tried for less than a minute.
 */
export const LATE_ENTRY_MS = 60 * 60_000;
/** How many entries one question looks at: a million take four questions, where one entry at a time would take twenty. */
const PROBES = 32n;

/**
 * How many entries an account's ledger had when its time came to `timeMs`: those before the first that is of this time or a later
 * one. It does not change any more once there is such an entry, for what is late is written behind it. The same as "before
 * that time", but for what is late: that comes after.
 */
export async function entriesBefore(session: Session, accountId: AccountId, timeMs: number): Promise<bigint> {
  const last = await lastEntrySequence(session, accountId);
  // All up to `before` are of an earlier time, whatever was late; the one of `beyond` is perhaps not.
  let before = 0n;
  let beyond = last + 1n;
  while (beyond - before > 1n) {
    const between = sequencesBetween(before, beyond);
    const timesMs = await entryTimesMs(session, accountId, between);
    const late = between.findIndex((sequence) => (timesMs.get(sequence) ?? 0) >= timeMs - LATE_ENTRY_MS);
    const early = late === -1 ? between : between.slice(0, late);
    before = early.at(-1) ?? before;
    beyond = between[early.length] ?? beyond;
  }
  const first = await firstEntrySince(session, accountId, { after: before, timeMs });
  return first === null ? last : first - 1n;
}

/** Some between two, evenly spread; all where they are few. */
function sequencesBetween(before: bigint, beyond: bigint): bigint[] {
  const apart = beyond - before;
  const count = apart - 1n < PROBES ? apart - 1n : PROBES;
  return Array.from(
    { length: Number(count) },
    (_, index) => before + (apart * BigInt(index + 1)) / (count + 1n),
  );
}
