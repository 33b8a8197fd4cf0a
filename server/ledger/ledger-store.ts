import type { Session } from "../database/database.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { MAX_ACCOUNT_MICROCENTS, microcents } from "../money/microcents.ts";
import type { LedgerEntry, LedgerEntryType, Movement } from "./ledger-entry.ts";

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

/**
 * Books a movement: changes the account's balance and writes the entry. Takes the account's row lock.
 * A movement that spends is refused when the available balance (balance − reserved) does not cover it.
 * @returns false, with nothing changed, when funds are lacking, the balance or score would pass the largest amount
 *   an account may hold, or there is no such account.
 */
export async function book(tx: Transaction, movement: Movement): Promise<boolean> {
  const { accountId, amountMicrocents, type } = movement;
  const scoreMicrocents = type === "top_up" ? amountMicrocents : 0n;
  const changed = await tx.change(
    `UPDATE accounts SET balance_microcents = balance_microcents + ?, score_microcents = score_microcents + ?,
       ledger_sequence = ledger_sequence + 1
     WHERE account_id = ? AND (? >= 0 OR balance_microcents - reserved_microcents + ? >= 0)
       AND balance_microcents + ? <= ? AND score_microcents + ? <= ?`,
    [
      amountMicrocents,
      scoreMicrocents,
      accountId,
      amountMicrocents,
      amountMicrocents,
      amountMicrocents,
      MAX_ACCOUNT_MICROCENTS,
      scoreMicrocents,
      MAX_ACCOUNT_MICROCENTS,
    ],
  );
  if (changed !== 1) return false;
  await insertEntry(tx, movement);
  return true;
}

// Sequence and balance are those of the account row, which this transaction has just changed and holds.
async function insertEntry(tx: Transaction, movement: Movement): Promise<void> {
  const inserted = await tx.change(
    `INSERT INTO ledger_entries (${LEDGER_ENTRY_COLUMNS})
     SELECT account_id, ledger_sequence, ?, ?, balance_microcents, ?, ?, ? FROM accounts WHERE account_id = ?`,
    [
      movement.type,
      movement.amountMicrocents,
      Buffer.from(movement.reference),
      movement.note,
      movement.createdAtMs,
      movement.accountId,
    ],
  );
  if (inserted !== 1) throw new Error(`A ledger entry of ${movement.accountId} was not written.`);
}

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
