import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { placeholders } from "../database/database.ts";
import { lockContested } from "../database/lock-contested.ts";
import { caseOf, type Fragment, inPowerOfTwoChunks, valuesOf } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { MAX_ACCOUNT_MICROCENTS, type Microcents } from "../money/microcents.ts";
import type { LedgerEntry, NewLedgerEntry } from "./ledger-entry.ts";
import { LEDGER_ENTRY_COLUMNS } from "./ledger-store.ts";

/**
 * The one door to the money: no other module's SQL changes the balance, the reserved amount, the score or the ledger
 * sequence of an account, or adds a ledger entry (`npm run check` sees to it).
 */

const COLUMNS = ["balance_microcents", "reserved_microcents", "ledger_sequence"] as const;

/** What an account has, by the column of its row. */
export interface Amounts {
  balance_microcents: Microcents;
  reserved_microcents: Microcents;
  /** The sequence of its last ledger entry. */
  ledger_sequence: bigint;
}

/** An account as its locked row says, and as that is to be. */
export interface Funds {
  readonly before: Readonly<Amounts>;
  readonly after: Amounts;
}

export type FundsByAccount = ReadonlyMap<AccountId, Funds>;

/** A ledger entry that is to be written. */
export type NumberedEntry = Omit<LedgerEntry, "sequence" | "note"> & { readonly sequence: bigint };

/**
 * Takes the row locks of accounts, in the order of their ids.
 * @returns null when one of them is not there. @throws {RowsInUseError} others hold one of them.
 */
export async function lockFunds(
  tx: Transaction,
  wanted: readonly { readonly accountId: AccountId }[],
): Promise<FundsByAccount | null> {
  const accountIds = [...new Set(wanted.map(({ accountId }) => accountId))];
  const names = paddedToPowerOfTwo(accountIds);
  const rows = await lockContested<FundsRow>(tx, {
    columns: `account_id, ${COLUMNS.join(", ")}`,
    nameColumn: "account_id",
    from: `FROM accounts FORCE INDEX (PRIMARY) WHERE account_id IN (${placeholders(names)}) ORDER BY account_id`,
    names,
  });
  if (rows.length !== accountIds.length) return null;
  return new Map(rows.map(({ account_id, ...before }) => [account_id, { before, after: { ...before } }]));
}

type FundsRow = Amounts & { readonly account_id: AccountId };

/** Writes what has changed in locked accounts, and the ledger entries of it. */
export async function writeFunds(
  tx: Transaction,
  funds: FundsByAccount,
  entries: readonly NumberedEntry[] = [],
): Promise<void> {
  await updateAccounts(tx, funds);
  await insertEntries(tx, entries);
}

/**
 * Books an entry: changes the account's balance and writes the entry's row. Takes the account's row lock.
 * One that takes money is refused when the available balance (balance − reserved) does not cover it.
 * @returns false, with nothing changed, when funds are lacking, the balance or score would pass the largest amount
 *   an account may hold, or there is no such account.
 */
export async function book(tx: Transaction, newEntry: NewLedgerEntry): Promise<boolean> {
  const { accountId, amountMicrocents, type } = newEntry;
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
  await insertBookedEntry(tx, newEntry);
  return true;
}

/** Gives back what is set aside of an account, and charges nothing. Takes the account's row lock. */
export async function releaseFunds(
  tx: Transaction,
  accountId: AccountId,
  amountMicrocents: Microcents,
): Promise<void> {
  const changed = await tx.change(
    `UPDATE accounts SET reserved_microcents = reserved_microcents - ?
     WHERE account_id = ? AND reserved_microcents >= ?`,
    [amountMicrocents, accountId, amountMicrocents],
  );
  if (changed !== 1) throw new Error(`Less is reserved of ${accountId} than its holds are.`);
}

async function updateAccounts(tx: Transaction, funds: FundsByAccount): Promise<void> {
  const assignments = COLUMNS.flatMap((column) => assignmentsOf(column, funds));
  const changed = [...funds].filter(([, own]) => COLUMNS.some((column) => hasChanged(own, column)));
  if (changed.length === 0) return;
  const ids = paddedToPowerOfTwo(changed.map(([accountId]) => accountId));
  const count = await tx.change(
    `UPDATE accounts SET ${assignments.map(({ sql }) => sql).join(", ")} WHERE account_id IN (${placeholders(ids)})`,
    [...assignments.flatMap(({ values }) => values), ...ids],
  );
  if (count !== changed.length) throw new Error("Not every account was changed.");
}

/** A new value for each account in which a column changes, or nothing when there is none; the others keep theirs. */
function assignmentsOf(column: keyof Amounts, funds: FundsByAccount): Fragment[] {
  const changed = [...funds].filter(([, own]) => hasChanged(own, column));
  if (changed.length === 0) return [];
  const values = paddedToPowerOfTwo(changed).map(
    ([accountId, { after }]) => [accountId, after[column]] as const,
  );
  const each = caseOf("account_id", values, column);
  return [{ ...each, sql: `${column} = ${each.sql}` }];
}

function hasChanged({ before, after }: Funds, column: keyof Amounts): boolean {
  return before[column] !== after[column];
}

async function insertEntries(tx: Transaction, entries: readonly NumberedEntry[]): Promise<void> {
  for (const some of inPowerOfTwoChunks(entries)) {
    const { sql, values } = valuesOf(
      some.map((entry) => [
        entry.accountId,
        entry.sequence,
        entry.type,
        entry.amountMicrocents,
        entry.balanceAfterMicrocents,
        Buffer.from(entry.reference),
        null,
        entry.createdAtMs,
      ]),
    );
    const inserted = await tx.change(`INSERT INTO ledger_entries (${LEDGER_ENTRY_COLUMNS}) ${sql}`, values);
    if (inserted !== some.length) throw new Error("Not every ledger entry was written.");
  }
}

// Sequence and balance are those of the account row, which this transaction has just changed and holds.
async function insertBookedEntry(tx: Transaction, newEntry: NewLedgerEntry): Promise<void> {
  const inserted = await tx.change(
    `INSERT INTO ledger_entries (${LEDGER_ENTRY_COLUMNS})
     SELECT account_id, ledger_sequence, ?, ?, balance_microcents, ?, ?, ? FROM accounts WHERE account_id = ?`,
    [
      newEntry.type,
      newEntry.amountMicrocents,
      Buffer.from(newEntry.reference),
      newEntry.note,
      newEntry.createdAtMs,
      newEntry.accountId,
    ],
  );
  if (inserted !== 1) throw new Error(`A ledger entry of ${newEntry.accountId} was not written.`);
}
