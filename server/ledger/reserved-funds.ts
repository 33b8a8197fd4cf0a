import { padded } from "../database/batched-read.ts";
import { placeholders } from "../database/database.ts";
import { caseOf, type Fragment, inPreparedSizes, valuesOf } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { add, type Microcents, microcents, negate, subtract } from "../money/microcents.ts";
import type { Movement } from "./ledger-entry.ts";
import { LEDGER_ENTRY_COLUMNS } from "./ledger-store.ts";

/** Money of an account that is set aside for one order or call, named by its reference, until it is known what it costs. */
export interface Hold {
  readonly accountId: AccountId;
  /** The id of the order or call that it is for. */
  readonly reference: string;
  readonly amountMicrocents: Microcents;
}

/** A hold that ends, and what it came to. */
export interface Settlement extends Hold {
  /** Also more than was held; zero only gives back what was held. */
  readonly chargeMicrocents: Microcents;
}

/** The type and time of ledger entries. */
export type Charge = Pick<Movement, "type" | "createdAtMs">;

/** What changes in the reserved money of accounts. */
interface Change {
  readonly settled: readonly Settlement[];
  readonly held: readonly Hold[];
}

/** What an account has: first as its locked row says, then as that is to be. */
interface Funds {
  balanceMicrocents: Microcents;
  reservedMicrocents: Microcents;
  /** That of its last ledger entry. */
  ledgerSequence: bigint;
  /** Whether one of its holds ends, so that more than what is reserved may change. */
  settled: boolean;
}

type FundsByAccount = Map<AccountId, Funds>;

/** A ledger entry's account, sequence, amount, balance after it, and reference. */
type Entry = readonly [AccountId, bigint, Microcents, Microcents, string];

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
export async function settle(tx: Transaction, settled: readonly Settlement[], charge: Charge): Promise<void> {
  if (!(await settleAndReserve(tx, { settled, held: [] }, charge)))
    throw new Error("Less is reserved of an account than its holds are.");
}

/** {@link settle} and then {@link reserve}, with the accounts locked in one order. @returns false when one of them would fail. */
export async function settleAndReserve(
  tx: Transaction,
  { settled, held }: Change,
  charge: Charge,
): Promise<boolean> {
  const funds = await lockFunds(tx, [...settled, ...held]);
  if (funds === null) return false;
  const entries = giveBackAndCharge(funds, settled);
  if (entries === null || !setAside(funds, held)) return false;
  await updateAccounts(tx, funds);
  await insertEntries(tx, entries, charge);
  return true;
}

interface FundsRow {
  account_id: AccountId;
  balance_microcents: bigint;
  reserved_microcents: bigint;
  ledger_sequence: bigint;
}

/** Takes the row locks of accounts, in the order of their ids. @returns null when there is no such account. */
async function lockFunds(
  tx: Transaction,
  holds: readonly Pick<Hold, "accountId">[],
): Promise<FundsByAccount | null> {
  const accountIds = [...new Set(holds.map(({ accountId }) => accountId))];
  const ids = padded(accountIds);
  const rows = await tx.rows<FundsRow>(
    `SELECT account_id, balance_microcents, reserved_microcents, ledger_sequence FROM accounts FORCE INDEX (PRIMARY)
     WHERE account_id IN (${placeholders(ids)}) ORDER BY account_id FOR UPDATE`,
    ids,
  );
  if (rows.length !== accountIds.length) return null;
  return new Map(
    rows.map((row) => [
      row.account_id,
      {
        balanceMicrocents: microcents(row.balance_microcents),
        reservedMicrocents: microcents(row.reserved_microcents),
        ledgerSequence: row.ledger_sequence,
        settled: false,
      },
    ]),
  );
}

/** @returns the entries of what was charged; null when less is reserved than is to be given back. */
function giveBackAndCharge(funds: FundsByAccount, settled: readonly Settlement[]): Entry[] | null {
  const entries: Entry[] = [];
  for (const { accountId, reference, amountMicrocents, chargeMicrocents } of settled) {
    const own = fundsOf(funds, accountId);
    own.settled = true;
    own.reservedMicrocents = subtract(own.reservedMicrocents, amountMicrocents);
    if (own.reservedMicrocents < 0n) return null;
    if (chargeMicrocents === 0n) continue;
    own.balanceMicrocents = subtract(own.balanceMicrocents, chargeMicrocents);
    own.ledgerSequence += 1n;
    entries.push([accountId, own.ledgerSequence, negate(chargeMicrocents), own.balanceMicrocents, reference]);
  }
  return entries;
}

/** @returns false when an available balance does not cover it. */
function setAside(funds: FundsByAccount, held: readonly Hold[]): boolean {
  return held.every(({ accountId, amountMicrocents }) => {
    const own = fundsOf(funds, accountId);
    own.reservedMicrocents = add(own.reservedMicrocents, amountMicrocents);
    return own.balanceMicrocents >= own.reservedMicrocents;
  });
}

function fundsOf(funds: FundsByAccount, accountId: AccountId): Funds {
  const own = funds.get(accountId);
  if (own === undefined) throw new Error(`The row of ${accountId} is not locked.`);
  return own;
}

async function updateAccounts(tx: Transaction, funds: FundsByAccount): Promise<void> {
  const changed = [...funds];
  const all = padded(changed);
  const settled = padded(changed.filter(([, own]) => own.settled));
  const assignments = [
    assignment("reserved_microcents", all, (own) => own.reservedMicrocents),
    ...(settled.length === 0
      ? []
      : [
          assignment("balance_microcents", settled, (own) => own.balanceMicrocents),
          assignment("ledger_sequence", settled, (own) => own.ledgerSequence),
        ]),
  ];
  const count = await tx.change(
    `UPDATE accounts SET ${assignments.map(({ sql }) => sql).join(", ")} WHERE account_id IN (${placeholders(all)})`,
    [...assignments.flatMap(({ values }) => values), ...all.map(([accountId]) => accountId)],
  );
  if (count !== changed.length) throw new Error("Not every account was changed.");
}

/** A value of its own for each of some accounts; the others keep theirs. */
function assignment(
  column: string,
  funds: readonly (readonly [AccountId, Funds])[],
  read: (own: Funds) => bigint,
): Fragment {
  const values = funds.map(([accountId, own]) => [accountId, read(own)] as const);
  const each = caseOf("account_id", values, column);
  return { ...each, sql: `${column} = ${each.sql}` };
}

async function insertEntries(
  tx: Transaction,
  entries: readonly Entry[],
  { type, createdAtMs }: Charge,
): Promise<void> {
  for (const some of inPreparedSizes(entries)) {
    const { sql, values } = valuesOf(
      some.map(([accountId, sequence, amount, balanceAfter, reference]) => [
        accountId,
        sequence,
        type,
        amount,
        balanceAfter,
        Buffer.from(reference),
        null,
        createdAtMs,
      ]),
    );
    const inserted = await tx.change(`INSERT INTO ledger_entries (${LEDGER_ENTRY_COLUMNS}) ${sql}`, values);
    if (inserted !== some.length) throw new Error("Not every ledger entry was written.");
  }
}
