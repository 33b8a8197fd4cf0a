import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { placeholders, type Session } from "../database/database.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId, CallId } from "../ids.ts";
import type { EntryRange } from "../ledger/ledger-store.ts";
import type { Period } from "./buckets.ts";
import { CALL_COLUMNS, CALL_ROWS, ORDER_COLUMNS, ORDER_ROWS } from "./counted-rows-store.ts";

/** Accounts that have what is not in the rollups yet: the next so many by their ids. */
export async function accountsBehind(session: Session, after: string, limit: number): Promise<AccountId[]> {
  const rows = await session.rows<{ account_id: AccountId }>(
    `SELECT a.account_id FROM accounts a LEFT JOIN rollup_progress p ON p.account_id = a.account_id
     WHERE a.account_id > ? AND (a.ledger_sequence > COALESCE(p.ledger_sequence, 0) OR EXISTS (
       SELECT 1 FROM calls c FORCE INDEX (calls_rollup_due)
       WHERE c.rollup_due = 1 AND c.account_id = a.account_id AND c.outcome IS NOT NULL))
     ORDER BY a.account_id LIMIT ?`,
    [after, limit],
  );
  return rows.map(({ account_id }) => account_id);
}

/**
 * Takes the one lock that everybody has who writes an account's rollups.
 * @returns the last ledger entry that is in them.
 */
export async function lockProgress(tx: Transaction, accountId: AccountId): Promise<bigint> {
  await tx.change(
    `INSERT INTO rollup_progress (account_id, ledger_sequence, writes) VALUES (?, 0, 1)
     ON DUPLICATE KEY UPDATE writes = writes + 1`,
    [accountId],
  );
  const [row] = await tx.rows<{ ledger_sequence: bigint }>(
    "SELECT ledger_sequence FROM rollup_progress WHERE account_id = ?",
    [accountId],
  );
  if (row === undefined) throw new Error(`The progress of ${accountId} vanished from its own transaction.`);
  return row.ledger_sequence;
}

/** Writes up to which entry an account's ledger is in the rollups. */
export async function updateProgress(tx: Transaction, accountId: AccountId, upTo: bigint): Promise<void> {
  const changed = await tx.change("UPDATE rollup_progress SET ledger_sequence = ? WHERE account_id = ?", [
    upTo,
    accountId,
  ]);
  if (changed !== 1) throw new Error(`The progress of ${accountId} was not written.`);
}

/** The last entry of an account's ledger: all up to it are committed, since they get their numbers under its lock. */
export async function lastSequence(session: Session, accountId: AccountId): Promise<bigint> {
  const [row] = await session.rows<{ ledger_sequence: bigint }>(
    "SELECT ledger_sequence FROM accounts WHERE account_id = ?",
    [accountId],
  );
  return row?.ledger_sequence ?? 0n;
}

/** Adds the orders and refunds of some ledger entries to the rollups. @param period only what is of it. */
export async function addOrders(
  tx: Transaction,
  accountId: AccountId,
  { after, upTo }: EntryRange,
  { fromMs, toMs }: Period = ALWAYS,
): Promise<void> {
  await tx.change(
    `INSERT INTO order_rollups (account_id, starts_at_ms, product_id, ${ORDER_COLUMNS.join(", ")})
     SELECT account_id, starts_at_ms, product_id, ${sums(ORDER_COLUMNS)}
     FROM (${ORDER_ROWS} AND e.sequence > ? AND e.sequence <= ?
       AND e.created_at_ms >= ? AND e.created_at_ms < ?) counted
     GROUP BY account_id, starts_at_ms, product_id
     ON DUPLICATE KEY UPDATE ${additions("order_rollups", ORDER_COLUMNS)}`,
    [accountId, after, upTo, fromMs, toMs],
  );
}

/** Some of an account's calls that have ended and are not in the rollups. */
export async function dueCalls(session: Session, accountId: AccountId, limit: number): Promise<CallId[]> {
  const rows = await session.rows<{ call_id: CallId }>(
    `SELECT call_id FROM calls FORCE INDEX (calls_rollup_due)
     WHERE rollup_due = 1 AND account_id = ? AND outcome IS NOT NULL ORDER BY call_id LIMIT ?`,
    [accountId, limit],
  );
  return rows.map(({ call_id }) => call_id);
}

/** Adds calls of an account to the rollups that are not in them, and says so in their rows. */
export async function addDueCalls(
  tx: Transaction,
  accountId: AccountId,
  callIds: readonly CallId[],
): Promise<void> {
  const ids = paddedToPowerOfTwo(callIds);
  const due = await tx.change(
    `UPDATE calls SET rollup_due = NULL WHERE call_id IN (${placeholders(ids)}) AND rollup_due = 1`,
    ids,
  );
  if (due !== callIds.length) throw new Error(`Not every call of ${accountId} was still to be rolled up.`);
  await tx.change(addingCalls(`AND call_id IN (${placeholders(ids)})`), [accountId, ...ids]);
}

/** Adds the calls to the rollups of a period again that were in them. @param ids what their ids are between. */
export async function addCallsAgain(
  tx: Transaction,
  accountId: AccountId,
  { fromMs, toMs }: Period,
  ids: { readonly from: CallId; readonly to: CallId },
): Promise<void> {
  await tx.change(
    addingCalls(
      "AND call_id >= ? AND call_id < ? AND ended_at_ms >= ? AND ended_at_ms < ? AND rollup_due IS NULL",
    ),
    [accountId, ids.from, ids.to, fromMs, toMs],
  );
}

/** Forgets what an account's orders and calls came to in a period. */
export async function deleteRollups(
  tx: Transaction,
  accountId: AccountId,
  { fromMs, toMs }: Period,
): Promise<void> {
  for (const table of ["order_rollups", "call_rollups"]) {
    await tx.change(`DELETE FROM ${table} WHERE account_id = ? AND starts_at_ms >= ? AND starts_at_ms < ?`, [
      accountId,
      fromMs,
      toMs,
    ]);
  }
}

const ALWAYS: Period = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

function addingCalls(which: string): string {
  return `INSERT INTO call_rollups (account_id, starts_at_ms, key_id, model_id, ${CALL_COLUMNS.join(", ")})
     SELECT account_id, starts_at_ms, key_id, model_id, ${sums(CALL_COLUMNS)}
     FROM (${CALL_ROWS} ${which}) counted
     GROUP BY account_id, starts_at_ms, key_id, model_id
     ON DUPLICATE KEY UPDATE ${additions("call_rollups", CALL_COLUMNS)}`;
}

function sums(columns: readonly string[]): string {
  return columns.map((column) => `SUM(${column})`).join(", ");
}

function additions(table: string, columns: readonly string[]): string {
  return columns.map((column) => `${column} = ${table}.${column} + VALUES(${column})`).join(", ");
}
