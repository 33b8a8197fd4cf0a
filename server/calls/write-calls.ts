import type { Transaction } from "../database/transaction.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import { openHolds, settleHolds } from "../ledger/hold-store.ts";
import type { Microcents } from "../money/microcents.ts";
import type { Call } from "./call.ts";
import { type EndedCall, endCalls, insertCalls } from "./call-store.ts";

/** A call that ends, with what is held for it. */
export interface Ending extends EndedCall, Pick<Call, "accountId"> {
  readonly holdMicrocents: Microcents;
}

/**
 * The transaction that begins calls: their rows, and the most that each may cost set aside. Locks: the calls' own rows,
 * their holds, then the accounts.
 * @throws {InsufficientBalanceError} an available balance does not cover its calls.
 */
export async function writeBeginnings(
  tx: Transaction,
  calls: readonly Call[],
  { nowMs, leaseMs }: { nowMs: number; leaseMs: number },
): Promise<void> {
  const [first] = calls;
  if (first === undefined) return;
  await insertCalls(tx, calls, nowMs + leaseMs);
  const held = await openHolds(
    tx,
    calls.map(({ accountId, callId, holdMicrocents }) => ({
      accountId,
      reference: callId,
      amountMicrocents: holdMicrocents,
    })),
    nowMs,
  );
  if (!held) throw InsufficientBalanceError.ofCall(first.holdMicrocents);
}

/**
 * The transaction that ends calls: outcome and tokens, charge and hold change together. Never refused for lack of funds.
 * Locks as above.
 * @throws {CallNotRunningError} one of them has ended before.
 */
export async function writeEndings(
  tx: Transaction,
  endings: readonly Ending[],
  nowMs: number,
): Promise<void> {
  if (endings.length === 0) return;
  await endCalls(tx, endings, nowMs);
  const settlements = endings.map(({ accountId, callId, holdMicrocents, amountMicrocents }) => ({
    accountId,
    reference: callId,
    amountMicrocents: holdMicrocents,
    chargeMicrocents: amountMicrocents,
  }));
  await settleHolds(tx, settlements, { type: "call", createdAtMs: nowMs });
}
