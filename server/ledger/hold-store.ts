import { caseOf, inPreparedSizes, valuesOf } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import { type Charge, type Hold, reserve, settle } from "./funds.ts";

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

/** Ends holds, once, charges them, and writes the ledger entries. Takes the accounts' row locks. */
export async function settleHolds(tx: Transaction, holds: readonly Hold[], charge: Charge): Promise<void> {
  for (const some of inPreparedSizes(holds)) await closeHolds(tx, some, "settled", charge.createdAtMs);
  const settlements = holds.map((hold) => ({ ...hold, chargeMicrocents: hold.amountMicrocents }));
  await settle(tx, settlements, charge);
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
