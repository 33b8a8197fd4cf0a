import type { Session } from "../database/database.ts";
import type { AccountId } from "../ids.ts";
import { microcents } from "../money/microcents.ts";
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
