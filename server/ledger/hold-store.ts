import type { Session } from "../database/database.ts";
import { caseOf, inPowerOfTwoChunks, valuesOf } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { microcents } from "../money/microcents.ts";
import { type Hold, holdFunds, type OpenedHold, settle } from "./funds.ts";
import { type FundsByAccount, releaseFunds } from "./funds-store.ts";
import type { LedgerEntryType } from "./ledger-entry.ts";

/** A hold that ends. */
export interface ClosedHold extends Hold {
  readonly closedAtMs: number;
}

/**
 * Sets money aside.
 * @param funds those of the accounts, whose rows are locked; null when one of them is not there.
 * @returns false, with the holds to be rolled back, when an available balance does not cover them.
 */
export async function openHolds(
  tx: Transaction,
  funds: FundsByAccount | null,
  holds: readonly OpenedHold[],
): Promise<boolean> {
  const { sql, values } = valuesOf(
    holds.map(({ accountId, reference, amountMicrocents, openedAtMs }) => [
      accountId,
      reference,
      "open",
      amountMicrocents,
      openedAtMs,
      null,
    ]),
  );
  await tx.change(
    `INSERT INTO holds (account_id, reference, state, amount_microcents, created_at_ms, closed_at_ms) ${sql}`,
    values,
  );
  return holdFunds(tx, funds, holds);
}

/** What is held for an account's orders, the oldest first. */
export async function listOpenHolds(
  session: Session,
  accountId: AccountId,
  limit: number,
): Promise<OpenedHold[]> {
  const rows = await session.rows<{ reference: string; amount_microcents: bigint; created_at_ms: bigint }>(
    `SELECT reference, amount_microcents, created_at_ms FROM holds
     WHERE state = 'open' AND account_id = ? ORDER BY created_at_ms, reference LIMIT ?`,
    [accountId, limit],
  );
  return rows.map((row) => ({
    accountId,
    reference: row.reference,
    amountMicrocents: microcents(row.amount_microcents),
    openedAtMs: Number(row.created_at_ms),
  }));
}

/** Sets money aside again for a reference whose hold was released; like {@link openHolds}. */
export async function reopenHold(
  tx: Transaction,
  funds: FundsByAccount | null,
  hold: OpenedHold,
): Promise<boolean> {
  const changed = await tx.change(
    `UPDATE holds SET state = 'open', amount_microcents = ?, created_at_ms = ?, closed_at_ms = NULL
     WHERE account_id = ? AND reference = ? AND state = 'released'`,
    [hold.amountMicrocents, hold.openedAtMs, hold.accountId, hold.reference],
  );
  if (changed !== 1) throw new Error(`The hold of ${hold.reference} was not released.`);
  return holdFunds(tx, funds, [hold]);
}

/** Gives back what was set aside, once. Takes the account's row lock. */
export async function releaseHold(tx: Transaction, hold: ClosedHold): Promise<void> {
  await closeHolds(tx, [hold], "released");
  await releaseFunds(tx, hold.accountId, hold.amountMicrocents);
}

/** Ends holds, once, charges them, and writes ledger entries of the same times. Takes the accounts' row locks. */
export async function settleHolds(
  tx: Transaction,
  holds: readonly ClosedHold[],
  type: LedgerEntryType,
): Promise<void> {
  for (const some of inPowerOfTwoChunks(holds)) await closeHolds(tx, some, "settled");
  const settlements = holds.map(({ closedAtMs, ...hold }) => ({
    ...hold,
    chargeMicrocents: hold.amountMicrocents,
    createdAtMs: closedAtMs,
  }));
  await settle(tx, settlements, type);
}

async function closeHolds(
  tx: Transaction,
  holds: readonly ClosedHold[],
  state: "settled" | "released",
): Promise<void> {
  const times = caseOf(
    "reference",
    holds.map(({ reference, closedAtMs }) => [reference, closedAtMs]),
  );
  const amounts = caseOf(
    "reference",
    holds.map(({ reference, amountMicrocents }) => [reference, amountMicrocents]),
  );
  const changed = await tx.change(
    `UPDATE holds SET state = ?, closed_at_ms = ${times.sql}
     WHERE (${holds.map(() => "(account_id = ? AND reference = ?)").join(" OR ")})
       AND state = 'open' AND amount_microcents = ${amounts.sql}`,
    [
      state,
      ...times.values,
      ...holds.flatMap(({ accountId, reference }) => [accountId, reference]),
      ...amounts.values,
    ],
  );
  if (changed !== holds.length) {
    throw new Error(`Not every hold is open of ${holds.map(({ reference }) => reference).join(", ")}.`);
  }
}
