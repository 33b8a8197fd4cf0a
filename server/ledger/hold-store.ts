import type { Transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { type Microcents, negate } from "../money/microcents.ts";
import type { Movement } from "./ledger-entry.ts";
import { insertEntry } from "./ledger-store.ts";

/** Money of an account that is set aside for one order or call, named by its reference, until it is known what it costs. */
export interface Hold {
  readonly accountId: AccountId;
  /** The id of the order that it is for. */
  readonly reference: string;
  readonly amountMicrocents: Microcents;
}

/**
 * Sets money aside, and takes the account's row lock.
 * @returns false, with the hold to be rolled back, when the available balance does not cover it.
 */
export async function openHold(tx: Transaction, hold: Hold, nowMs: number): Promise<boolean> {
  await tx.change(
    `INSERT INTO holds (account_id, reference, state, amount_microcents, created_at_ms, closed_at_ms)
     VALUES (?, ?, 'open', ?, ?, NULL)`,
    [hold.accountId, hold.reference, hold.amountMicrocents, nowMs],
  );
  return reserve(tx, hold);
}

/** Sets money aside again for a reference whose hold was released; like {@link openHold}. */
export async function reopenHold(tx: Transaction, hold: Hold, nowMs: number): Promise<boolean> {
  const changed = await tx.change(
    `UPDATE holds SET state = 'open', amount_microcents = ?, created_at_ms = ?, closed_at_ms = NULL
     WHERE account_id = ? AND reference = ? AND state = 'released'`,
    [hold.amountMicrocents, nowMs, hold.accountId, hold.reference],
  );
  if (changed !== 1) throw new Error(`The hold of ${hold.reference} was not released.`);
  return reserve(tx, hold);
}

/** Gives back what was set aside, once. Takes the account's row lock. */
export async function releaseHold(tx: Transaction, hold: Hold, nowMs: number): Promise<void> {
  await closeHold(tx, hold, "released", nowMs);
  const changed = await tx.change(
    `UPDATE accounts SET reserved_microcents = reserved_microcents - ?
     WHERE account_id = ? AND reserved_microcents >= ?`,
    [hold.amountMicrocents, hold.accountId, hold.amountMicrocents],
  );
  if (changed !== 1)
    throw new Error(`The account ${hold.accountId} has less reserved than ${hold.reference} holds.`);
}

/**
 * Charges what was set aside, once, and writes the ledger entry. Never refused for lack of funds. Takes the account's
 * row lock.
 */
export async function settleHold(
  tx: Transaction,
  hold: Hold,
  charge: Pick<Movement, "type" | "createdAtMs">,
): Promise<void> {
  await closeHold(tx, hold, "settled", charge.createdAtMs);
  const { accountId, amountMicrocents } = hold;
  const changed = await tx.change(
    `UPDATE accounts SET reserved_microcents = reserved_microcents - ?, balance_microcents = balance_microcents - ?,
       ledger_sequence = ledger_sequence + 1
     WHERE account_id = ? AND reserved_microcents >= ?`,
    [amountMicrocents, amountMicrocents, accountId, amountMicrocents],
  );
  if (changed !== 1)
    throw new Error(`The account ${accountId} has less reserved than ${hold.reference} holds.`);
  await insertEntry(tx, {
    ...charge,
    accountId,
    amountMicrocents: negate(amountMicrocents),
    reference: hold.reference,
    note: null,
  });
}

async function reserve(tx: Transaction, { accountId, amountMicrocents }: Hold): Promise<boolean> {
  const changed = await tx.change(
    `UPDATE accounts SET reserved_microcents = reserved_microcents + ?
     WHERE account_id = ? AND balance_microcents - reserved_microcents >= ?`,
    [amountMicrocents, accountId, amountMicrocents],
  );
  return changed === 1;
}

async function closeHold(
  tx: Transaction,
  hold: Hold,
  state: "settled" | "released",
  nowMs: number,
): Promise<void> {
  const changed = await tx.change(
    `UPDATE holds SET state = ?, closed_at_ms = ?
     WHERE account_id = ? AND reference = ? AND state = 'open' AND amount_microcents = ?`,
    [state, nowMs, hold.accountId, hold.reference, hold.amountMicrocents],
  );
  if (changed !== 1) throw new Error(`The hold of ${hold.reference} is not open.`);
}
