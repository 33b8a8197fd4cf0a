import { padded } from "../database/batched-read.ts";
import { type Parameter, placeholders } from "../database/database.ts";
import { caseOf, type Fragment, inPreparedSizes, valuesOf } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { add, type Microcents, negate, ZERO } from "../money/microcents.ts";
import type { Movement } from "./ledger-entry.ts";
import { LEDGER_ENTRY_COLUMNS } from "./ledger-store.ts";

/** Money of an account that is set aside for one order or call, named by its reference, until it is known what it costs. */
export interface Hold {
  readonly accountId: AccountId;
  /** The id of the order or call that it is for. */
  readonly reference: string;
  readonly amountMicrocents: Microcents;
}

type AccountOf<H extends Hold> = readonly [AccountId, readonly H[]];

/** A hold, and what it came to. */
export interface Settlement extends Hold {
  /** Also more than was held; zero releases the hold. The amount held when not given. */
  readonly chargeMicrocents?: Microcents;
}

/**
 * Sets money aside, and takes the accounts' row locks.
 * @returns false, with the holds to be rolled back, when an available balance does not cover them.
 */
export async function openHolds(tx: Transaction, holds: readonly Hold[], nowMs: number): Promise<boolean> {
  const { sql, values } = valuesOf(
    holds.map(({ accountId, reference, amountMicrocents }) => [
      accountId,
      reference,
      "open",
      amountMicrocents,
      nowMs,
      null,
    ]),
  );
  await tx.change(
    `INSERT INTO holds (account_id, reference, state, amount_microcents, created_at_ms, closed_at_ms) ${sql}`,
    values,
  );
  return reserve(tx, holds);
}

/** Sets money aside again for a reference whose hold was released; like {@link openHolds}. */
export async function reopenHold(tx: Transaction, hold: Hold, nowMs: number): Promise<boolean> {
  const changed = await tx.change(
    `UPDATE holds SET state = 'open', amount_microcents = ?, created_at_ms = ?, closed_at_ms = NULL
     WHERE account_id = ? AND reference = ? AND state = 'released'`,
    [hold.amountMicrocents, nowMs, hold.accountId, hold.reference],
  );
  if (changed !== 1) throw new Error(`The hold of ${hold.reference} was not released.`);
  return reserve(tx, [hold]);
}

/** Gives back what was set aside, once. Takes the account's row lock. */
export async function releaseHold(tx: Transaction, hold: Hold, nowMs: number): Promise<void> {
  await closeHolds(tx, [hold], "released", nowMs);
  const { accountId, amountMicrocents } = hold;
  const changed = await tx.change(
    `UPDATE accounts SET reserved_microcents = reserved_microcents - ?
     WHERE account_id = ? AND reserved_microcents >= ?`,
    [amountMicrocents, accountId, amountMicrocents],
  );
  if (changed !== 1) throw new Error(`Less is reserved of ${accountId} than its holds are.`);
}

/**
 * Ends holds, once, charges what they came to, and writes the ledger entries. Never refused for lack of funds: what is
 * charged beyond a hold may take the balance below zero. Takes the accounts' row locks.
 */
export async function settleHolds(
  tx: Transaction,
  settlements: readonly Settlement[],
  charge: Pick<Movement, "type" | "createdAtMs">,
): Promise<void> {
  for (const [charged, holds] of Map.groupBy(settlements, isCharged)) {
    const state = charged ? "settled" : "released";
    for (const some of inPreparedSizes(holds)) await closeHolds(tx, some, state, charge.createdAtMs);
  }
  const byAccount = Map.groupBy(settlements, ({ accountId }) => accountId);
  const accounts = padded([...byAccount]);
  const held = sumsOf(accounts);
  const charged = perAccount(accounts, (ended) => sumOf(ended.map(chargeOf)));
  const entries = perAccount(accounts, (ended) => ended.filter(isCharged).length);
  const changed = await tx.change(
    `UPDATE accounts SET reserved_microcents = reserved_microcents - ${held.sql},
       balance_microcents = balance_microcents - ${charged.sql}, ledger_sequence = ledger_sequence + ${entries.sql}
     WHERE account_id IN (${placeholders(accounts)}) AND reserved_microcents >= ${held.sql}`,
    [
      ...held.values,
      ...charged.values,
      ...entries.values,
      ...accounts.map(([accountId]) => accountId),
      ...held.values,
    ],
  );
  if (changed !== byAccount.size) throw new Error("Less is reserved of an account than its holds are.");
  await insertCharges(tx, settlements.filter(isCharged), charge);
}

// The accounts' rows are as the last of their entries leaves them, so each entry counts back from there.
async function insertCharges(
  tx: Transaction,
  settlements: readonly Settlement[],
  { type, createdAtMs }: Pick<Movement, "type" | "createdAtMs">,
): Promise<void> {
  const byAccount = Map.groupBy(settlements, ({ accountId }) => accountId);
  const entries = [...byAccount].flatMap(([accountId, charged]) =>
    charged.map((settlement, index) => {
      const later = charged.slice(index + 1);
      const amount = negate(chargeOf(settlement));
      const reference = Buffer.from(settlement.reference);
      return [later.length, type, amount, sumOf(later.map(chargeOf)), reference, createdAtMs, accountId];
    }),
  );
  const select = `SELECT account_id, ledger_sequence - ?, ?, ?, balance_microcents + ?, ?, NULL, ?
    FROM accounts WHERE account_id = ?`;
  for (const some of inPreparedSizes(entries)) {
    const inserted = await tx.change(
      `INSERT INTO ledger_entries (${LEDGER_ENTRY_COLUMNS}) ${some.map(() => select).join(" UNION ALL ")}`,
      some.flat(),
    );
    if (inserted !== some.length) throw new Error("Not every ledger entry was written.");
  }
}

function chargeOf({ chargeMicrocents, amountMicrocents }: Settlement): Microcents {
  return chargeMicrocents ?? amountMicrocents;
}

function isCharged({ chargeMicrocents }: Settlement): boolean {
  return chargeMicrocents !== 0n;
}

async function reserve(tx: Transaction, holds: readonly Hold[]): Promise<boolean> {
  const byAccount = Map.groupBy(holds, ({ accountId }) => accountId);
  const accounts = padded([...byAccount]);
  const sums = sumsOf(accounts);
  const changed = await tx.change(
    `UPDATE accounts SET reserved_microcents = reserved_microcents + ${sums.sql}
     WHERE account_id IN (${placeholders(accounts)}) AND balance_microcents - reserved_microcents >= ${sums.sql}`,
    [...sums.values, ...accounts.map(([accountId]) => accountId), ...sums.values],
  );
  return changed === byAccount.size;
}

async function closeHolds(
  tx: Transaction,
  holds: readonly Hold[],
  state: "settled" | "released",
  nowMs: number,
): Promise<void> {
  const amounts = caseOf(
    "reference",
    holds.map(({ reference, amountMicrocents }) => [reference, amountMicrocents]),
  );
  const changed = await tx.change(
    `UPDATE holds SET state = ?, closed_at_ms = ?
     WHERE (${holds.map(() => "(account_id = ? AND reference = ?)").join(" OR ")})
       AND state = 'open' AND amount_microcents = ${amounts.sql}`,
    [state, nowMs, ...holds.flatMap(({ accountId, reference }) => [accountId, reference]), ...amounts.values],
  );
  if (changed !== holds.length) {
    throw new Error(`Not every hold is open of ${holds.map(({ reference }) => reference).join(", ")}.`);
  }
}

/** What is held of each account, as a value of its row. */
function sumsOf(accounts: readonly AccountOf<Hold>[]): Fragment {
  return perAccount(accounts, (holds) => sumOf(holds.map(({ amountMicrocents }) => amountMicrocents)));
}

function perAccount<H extends Hold>(
  accounts: readonly AccountOf<H>[],
  value: (holds: readonly H[]) => Parameter,
): Fragment {
  return caseOf(
    "account_id",
    accounts.map(([accountId, holds]) => [accountId, value(holds)]),
  );
}

function sumOf(amounts: readonly Microcents[]): Microcents {
  return amounts.reduce(add, ZERO);
}
