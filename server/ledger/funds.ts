import { padded } from "../database/batched-read.ts";
import { placeholders } from "../database/database.ts";
import { caseOf, type Fragment, inPreparedSizes, valuesOf } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { add, type Microcents, negate, subtract } from "../money/microcents.ts";
import type { LedgerEntry, LedgerEntryType } from "./ledger-entry.ts";
import { LEDGER_ENTRY_COLUMNS } from "./ledger-store.ts";

const COLUMNS = ["balance_microcents", "reserved_microcents", "ledger_sequence"] as const;

/** Money of an account that is set aside for one order or call, named by its reference, until it is known what it costs. */
export interface Hold {
  readonly accountId: AccountId;
  /** The id of the order or call that it is for. */
  readonly reference: string;
  readonly amountMicrocents: Microcents;
}

/** Money that an account pays at once, with nothing set aside for it before. */
export interface Payment extends Omit<Hold, "amountMicrocents"> {
  readonly chargeMicrocents: Microcents;
  /** The time of the ledger entry. */
  readonly createdAtMs: number;
}

/** A hold that ends, and what it came to: also more than was held; zero only gives back what was held. */
export interface Settlement extends Hold, Payment {}

/** What changes in the reserved money of accounts. */
interface Change {
  readonly settled: readonly Settlement[];
  readonly held: readonly Hold[];
}

/** What an account has, by the column of its row. */
interface Amounts {
  balance_microcents: Microcents;
  reserved_microcents: Microcents;
  /** The sequence of its last ledger entry. */
  ledger_sequence: bigint;
}

/** An account as its locked row says, and as that is to be. */
interface Funds {
  readonly before: Readonly<Amounts>;
  readonly after: Amounts;
}

type FundsByAccount = ReadonlyMap<AccountId, Funds>;

/** A ledger entry that is to be written. */
type Entry = Omit<LedgerEntry, "sequence" | "note"> & { readonly sequence: bigint };

/**
 * Charges at once what accounts pay for without a hold, and writes the ledger entries. Takes the accounts' row locks.
 * @returns false when an available balance does not cover it.
 */
export async function spend(
  tx: Transaction,
  payments: readonly Payment[],
  type: LedgerEntryType,
): Promise<boolean> {
  const funds = await lockFunds(tx, payments);
  if (funds === null) return false;
  const entries = payments.map((payment) => chargeTo(funds, payment, type));
  if (![...funds.values()].every(isCovered)) return false;
  await writeFunds(tx, funds, entries);
  return true;
}

/** Sets money aside, and takes the accounts' row locks. @returns false when an available balance does not cover it. */
export async function reserve(tx: Transaction, held: readonly Hold[]): Promise<boolean> {
  const funds = await lockFunds(tx, held);
  if (funds === null || !setAside(funds, held)) return false;
  await updateAccounts(tx, funds);
  return true;
}

/**
 * Gives back what was set aside, charges what it came to, and writes the ledger entries. Never refused for lack of funds:
 * what is charged beyond a hold may take the balance below zero. Takes the accounts' row locks.
 */
export async function settle(
  tx: Transaction,
  settled: readonly Settlement[],
  type: LedgerEntryType,
): Promise<void> {
  if (!(await settleAndReserve(tx, { settled, held: [] }, type)))
    throw new Error("Less is reserved of an account than its holds are.");
}

/** {@link settle} and then {@link reserve}, in fewer statements. @returns false when one of them would fail. */
export async function settleAndReserve(
  tx: Transaction,
  { settled, held }: Change,
  type: LedgerEntryType,
): Promise<boolean> {
  const funds = await lockFunds(tx, [...settled, ...held]);
  if (funds === null || !giveBack(funds, settled)) return false;
  const entries = settled
    .filter(({ chargeMicrocents }) => chargeMicrocents !== 0n)
    .map((settlement) => chargeTo(funds, settlement, type));
  if (!setAside(funds, held)) return false;
  await writeFunds(tx, funds, entries);
  return true;
}

/** Takes the row locks of accounts, in the order of their ids. @returns null when one of them is not there. */
async function lockFunds(
  tx: Transaction,
  holds: readonly Pick<Hold, "accountId">[],
): Promise<FundsByAccount | null> {
  const accountIds = [...new Set(holds.map(({ accountId }) => accountId))];
  const ids = padded(accountIds);
  const rows = await tx.rows<Amounts & { account_id: AccountId }>(
    `SELECT account_id, ${COLUMNS.join(", ")} FROM accounts FORCE INDEX (PRIMARY)
     WHERE account_id IN (${placeholders(ids)}) ORDER BY account_id FOR UPDATE`,
    ids,
  );
  if (rows.length !== accountIds.length) return null;
  return new Map(rows.map(({ account_id, ...before }) => [account_id, { before, after: { ...before } }]));
}

function chargeTo(
  funds: FundsByAccount,
  { accountId, reference, chargeMicrocents, createdAtMs }: Payment,
  type: LedgerEntryType,
): Entry {
  const { after } = fundsOf(funds, accountId);
  after.balance_microcents = subtract(after.balance_microcents, chargeMicrocents);
  after.ledger_sequence += 1n;
  return {
    accountId,
    sequence: after.ledger_sequence,
    type,
    amountMicrocents: negate(chargeMicrocents),
    balanceAfterMicrocents: after.balance_microcents,
    reference,
    createdAtMs,
  };
}

/** @returns false when less is reserved than is to be given back. */
function giveBack(funds: FundsByAccount, settled: readonly Settlement[]): boolean {
  return settled.every(({ accountId, amountMicrocents }) => {
    const { after } = fundsOf(funds, accountId);
    after.reserved_microcents = subtract(after.reserved_microcents, amountMicrocents);
    return after.reserved_microcents >= 0n;
  });
}

/** @returns false when an available balance does not cover it. */
function setAside(funds: FundsByAccount, held: readonly Hold[]): boolean {
  return held.every(({ accountId, amountMicrocents }) => {
    const own = fundsOf(funds, accountId);
    own.after.reserved_microcents = add(own.after.reserved_microcents, amountMicrocents);
    return isCovered(own);
  });
}

function isCovered({ after }: Funds): boolean {
  return after.balance_microcents >= after.reserved_microcents;
}

function fundsOf(funds: FundsByAccount, accountId: AccountId): Funds {
  const own = funds.get(accountId);
  if (own === undefined) throw new Error(`The row of ${accountId} is not locked.`);
  return own;
}

async function writeFunds(tx: Transaction, funds: FundsByAccount, entries: readonly Entry[]): Promise<void> {
  await updateAccounts(tx, funds);
  await insertEntries(tx, entries);
}

async function updateAccounts(tx: Transaction, funds: FundsByAccount): Promise<void> {
  const assignments = COLUMNS.flatMap((column) => assignmentsOf(column, funds));
  const changed = [...funds].filter(([, own]) => COLUMNS.some((column) => hasChanged(own, column)));
  if (changed.length === 0) return;
  const ids = padded(changed.map(([accountId]) => accountId));
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
  const values = padded(changed).map(([accountId, { after }]) => [accountId, after[column]] as const);
  const each = caseOf("account_id", values, column);
  return [{ ...each, sql: `${column} = ${each.sql}` }];
}

function hasChanged({ before, after }: Funds, column: keyof Amounts): boolean {
  return before[column] !== after[column];
}

async function insertEntries(tx: Transaction, entries: readonly Entry[]): Promise<void> {
  for (const some of inPreparedSizes(entries)) {
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
