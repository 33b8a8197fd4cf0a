import { placeholders, type Session } from "../database/database.ts";
import type { AccountId } from "../ids.ts";
import { type Microcents, microcents, ZERO } from "../money/microcents.ts";
import type { LedgerEntry, LedgerEntryType } from "./ledger-entry.ts";

interface LedgerEntryRow {
  account_id: AccountId;
  sequence: bigint;
  type: LedgerEntryType;
  amount_microcents: bigint;
  balance_after_microcents: bigint;
  reference: Buffer;
  note: string | null;
  created_at_ms: bigint;
}

export const LEDGER_ENTRY_COLUMNS =
  "account_id, sequence, type, amount_microcents, balance_after_microcents, reference, note, created_at_ms";

/** The entry of that type and reference, if there is one. */
export async function findEntry(
  session: Session,
  accountId: AccountId,
  type: LedgerEntryType,
  reference: string,
): Promise<LedgerEntry | null> {
  const [row] = await session.rows<LedgerEntryRow>(
    `SELECT ${LEDGER_ENTRY_COLUMNS} FROM ledger_entries WHERE account_id = ? AND type = ? AND reference = ?`,
    [accountId, type, Buffer.from(reference)],
  );
  return row === undefined ? null : toEntry(row);
}

/** An account's entries, newest first. */
export async function listEntries(
  session: Session,
  accountId: AccountId,
  limit: number,
): Promise<LedgerEntry[]> {
  const rows = await session.rows<LedgerEntryRow>(
    `SELECT ${LEDGER_ENTRY_COLUMNS} FROM ledger_entries WHERE account_id = ? ORDER BY sequence DESC LIMIT ?`,
    [accountId, limit],
  );
  return rows.map(toEntry);
}

/** Entries of an account: those behind one up to another, and it. */
export interface EntryRange {
  readonly after: bigint;
  readonly upTo: bigint;
}

/** The first so many of them, oldest first. */
export async function listEntriesAfter(
  session: Session,
  accountId: AccountId,
  { after, upTo }: EntryRange,
  limit: number,
): Promise<LedgerEntry[]> {
  const rows = await session.rows<LedgerEntryRow>(
    `SELECT ${LEDGER_ENTRY_COLUMNS} FROM ledger_entries FORCE INDEX (PRIMARY)
     WHERE account_id = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?`,
    [accountId, after, upTo, limit],
  );
  return rows.map(toEntry);
}

/** The last so many of them, newest first. */
export async function listEntriesUpTo(
  session: Session,
  accountId: AccountId,
  { after, upTo }: EntryRange,
  limit: number,
): Promise<LedgerEntry[]> {
  const rows = await session.rows<LedgerEntryRow>(
    `SELECT ${LEDGER_ENTRY_COLUMNS} FROM ledger_entries FORCE INDEX (PRIMARY)
     WHERE account_id = ? AND sequence > ? AND sequence <= ? ORDER BY sequence DESC LIMIT ?`,
    [accountId, after, upTo, limit],
  );
  return rows.map(toEntry);
}

/** What they come to, by their type. */
export async function sumsByType(
  session: Session,
  accountId: AccountId,
  { after, upTo }: EntryRange,
): Promise<{ type: LedgerEntryType; entries: number; amountMicrocents: Microcents }[]> {
  const rows = await session.rows<{ type: LedgerEntryType; entries: bigint; amount: bigint }>(
    `SELECT type, COUNT(*) AS entries, CAST(SUM(amount_microcents) AS SIGNED) AS amount
     FROM ledger_entries FORCE INDEX (PRIMARY)
     WHERE account_id = ? AND sequence > ? AND sequence <= ? GROUP BY type ORDER BY type`,
    [accountId, after, upTo],
  );
  return rows.map(({ type, entries, amount }) => ({
    type,
    entries: Number(entries),
    amountMicrocents: microcents(amount),
  }));
}

/** The balance after an entry; zero before the first. */
export async function balanceAfter(
  session: Session,
  accountId: AccountId,
  sequence: bigint,
): Promise<Microcents> {
  const [row] = await session.rows<{ balance: bigint }>(
    "SELECT balance_after_microcents AS balance FROM ledger_entries WHERE account_id = ? AND sequence = ?",
    [accountId, sequence],
  );
  return row === undefined ? ZERO : microcents(row.balance);
}

/** The sequence of an account's last entry; 0 when it has none. */
export async function lastEntrySequence(session: Session, accountId: AccountId): Promise<bigint> {
  const [row] = await session.rows<{ sequence: bigint }>(
    "SELECT sequence FROM ledger_entries WHERE account_id = ? ORDER BY sequence DESC LIMIT 1",
    [accountId],
  );
  return row?.sequence ?? 0n;
}

/** The times of entries that are there, by their sequences. */
export async function entryTimesMs(
  session: Session,
  accountId: AccountId,
  sequences: readonly bigint[],
): Promise<ReadonlyMap<bigint, number>> {
  const rows = await session.rows<{ sequence: bigint; created_at_ms: bigint }>(
    `SELECT sequence, created_at_ms FROM ledger_entries
     WHERE account_id = ? AND sequence IN (${placeholders(sequences)})`,
    [accountId, ...sequences],
  );
  if (rows.length !== sequences.length) throw new Error(`The ledger of ${accountId} lacks entries.`);
  return new Map(rows.map(({ sequence, created_at_ms }) => [sequence, Number(created_at_ms)]));
}

/** The sequence of the first entry behind `after` that is of a time or a later one; null when there is none. */
export async function firstEntrySince(
  session: Session,
  accountId: AccountId,
  { after, timeMs }: { after: bigint; timeMs: number },
): Promise<bigint | null> {
  const [row] = await session.rows<{ sequence: bigint }>(
    `SELECT sequence FROM ledger_entries FORCE INDEX (PRIMARY)
     WHERE account_id = ? AND sequence > ? AND created_at_ms >= ? ORDER BY sequence LIMIT 1`,
    [accountId, after, timeMs],
  );
  return row?.sequence ?? null;
}

function toEntry(row: LedgerEntryRow): LedgerEntry {
  return {
    accountId: row.account_id,
    sequence: Number(row.sequence),
    type: row.type,
    amountMicrocents: microcents(row.amount_microcents),
    balanceAfterMicrocents: microcents(row.balance_after_microcents),
    reference: row.reference.toString(),
    note: row.note,
    createdAtMs: Number(row.created_at_ms),
  };
}
