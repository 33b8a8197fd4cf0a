import { padded } from "../database/batched-read.ts";
import { type Parameter, placeholders } from "../database/database.ts";
import { caseOf, type Fragment, inPreparedSizes } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { add, type Microcents, microcents, negate, subtract, ZERO } from "../money/microcents.ts";
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

/** Below every available balance. */
const ANY_AVAILABLE = microcents(-(2n ** 62n));

/** Sets money aside, and takes the accounts' row locks. @returns false when an available balance does not cover it. */
export function reserve(tx: Transaction, held: readonly Hold[]): Promise<boolean> {
  return updateAccounts(tx, { settled: [], held });
}

/**
 * Gives back what was set aside, charges what it came to, and writes the ledger entries. Never refused for lack of funds:
 * what is charged beyond a hold may take the balance below zero. Takes the accounts' row locks.
 */
export async function settle(tx: Transaction, settled: readonly Settlement[], charge: Charge): Promise<void> {
  if (!(await updateAccounts(tx, { settled, held: [] })))
    throw new Error("Less is reserved of an account than its holds are.");
  await insertCharges(tx, settled.filter(isCharged), charge);
}

/** {@link settle} and then {@link reserve}, in fewer statements. @returns false when one of them would fail. */
export async function settleAndReserve(
  tx: Transaction,
  { settled, held }: Change,
  charge: Charge,
): Promise<boolean> {
  const done = await updateAccounts(tx, { settled, held });
  if (done) await insertCharges(tx, settled.filter(isCharged), charge);
  return done;
}

async function updateAccounts(tx: Transaction, { settled, held }: Change): Promise<boolean> {
  const settledOf = Map.groupBy(settled, ({ accountId }) => accountId);
  const heldOf = Map.groupBy(held, ({ accountId }) => accountId);
  const accountIds = [...new Set([...settledOf.keys(), ...heldOf.keys()])];
  const accounts = padded(accountIds);
  const each = (value: (settled: readonly Settlement[], held: readonly Hold[]) => Parameter): Fragment =>
    caseOf(
      "account_id",
      accounts.map((accountId) => [
        accountId,
        value(settledOf.get(accountId) ?? [], heldOf.get(accountId) ?? []),
      ]),
    );
  const reserved = each((ends, begins) => subtract(amountOf(begins), amountOf(ends)));
  const assignments = [{ ...reserved, sql: `reserved_microcents = reserved_microcents + ${reserved.sql}` }];
  const conditions: Fragment[] = [];
  if (settled.length > 0) {
    const charged = each(chargesOf);
    const entries = each((ends) => ends.filter(isCharged).length);
    assignments.push(
      { ...charged, sql: `balance_microcents = balance_microcents - ${charged.sql}` },
      { ...entries, sql: `ledger_sequence = ledger_sequence + ${entries.sql}` },
    );
    const given = each(amountOf);
    conditions.push({ ...given, sql: `reserved_microcents >= ${given.sql}` });
  }
  if (held.length > 0) {
    const needed = each(availableNeeded);
    conditions.push({ ...needed, sql: `balance_microcents - reserved_microcents >= ${needed.sql}` });
  }
  const changed = await tx.change(
    `UPDATE accounts SET ${assignments.map(({ sql }) => sql).join(", ")}
     WHERE account_id IN (${placeholders(accounts)})${conditions.map(({ sql }) => ` AND ${sql}`).join("")}`,
    [
      ...assignments.flatMap(({ values }) => values),
      ...accounts,
      ...conditions.flatMap(({ values }) => values),
    ],
  );
  return changed === accountIds.length;
}

/** The balance that must be available before the change; whoever only settles is never refused. */
function availableNeeded(settled: readonly Settlement[], held: readonly Hold[]): Microcents {
  if (held.length === 0) return ANY_AVAILABLE;
  return subtract(amountOf(held), subtract(amountOf(settled), chargesOf(settled)));
}

// The accounts' rows are as the last of their entries leaves them, so each entry counts back from there.
async function insertCharges(
  tx: Transaction,
  settlements: readonly Settlement[],
  { type, createdAtMs }: Charge,
): Promise<void> {
  const byAccount = Map.groupBy(settlements, ({ accountId }) => accountId);
  const entries = [...byAccount].flatMap(([accountId, charged]) =>
    charged.map((settlement, index) => {
      const later = charged.slice(index + 1);
      const amount = negate(settlement.chargeMicrocents);
      const reference = Buffer.from(settlement.reference);
      return [later.length, type, amount, chargesOf(later), reference, createdAtMs, accountId];
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

function isCharged({ chargeMicrocents }: Settlement): boolean {
  return chargeMicrocents !== 0n;
}

function chargesOf(settlements: readonly Settlement[]): Microcents {
  return settlements.map(({ chargeMicrocents }) => chargeMicrocents).reduce(add, ZERO);
}

function amountOf(holds: readonly Hold[]): Microcents {
  return holds.map(({ amountMicrocents }) => amountMicrocents).reduce(add, ZERO);
}
