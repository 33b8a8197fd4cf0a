import type { Transaction } from "../database/transaction.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import { type Hold, holdUsed, type Settlement, settle, settleAndHold } from "../ledger/funds.ts";
import { type Microcents, subtract } from "../money/microcents.ts";
import type { Call } from "./call.ts";
import { type EndedCall, endCalls, findHolds, insertCalls, lockHold, updateHold } from "./call-store.ts";

/** A call that ends, with what is held for it. */
export interface Ending extends EndedCall, Pick<Call, "accountId"> {
  readonly holdMicrocents: Microcents;
  /** Whether more may have been held since it began, as its row then says. */
  readonly isHoldRaised?: boolean;
}

/** A call that runs and has used more than is held for it. */
export interface UsedCall extends Pick<Call, "callId" | "accountId"> {
  readonly usedMicrocents: Microcents;
}

/** What is written of calls in one transaction. */
export interface CallChanges {
  readonly begun: readonly Call[];
  readonly ended: readonly Ending[];
}

/**
 * Writes calls that begin, with the most that each may cost set aside, and calls that end, as {@link writeEndings} does.
 * Locks: the calls' own rows, then the accounts.
 * @throws {InsufficientBalanceError} an available balance does not cover the calls that begin.
 * @throws {CallNotRunningError} one of the calls that end has ended before.
 */
export async function writeCalls(
  tx: Transaction,
  { begun, ended }: CallChanges,
  { nowMs, leaseMs }: { nowMs: number; leaseMs: number },
): Promise<void> {
  const [first] = begun;
  if (first === undefined) return writeEndings(tx, ended, nowMs);
  await insertCalls(tx, begun, nowMs + leaseMs);
  if (ended.length > 0) await endCalls(tx, ended, nowMs);
  const settled = await settlementsOf(tx, ended, nowMs);
  const shortage = await settleAndHold(tx, { settled, held: begun.map(holdOf) }, "call");
  if (shortage !== null)
    throw InsufficientBalanceError.ofCall(first.holdMicrocents, shortage.availableMicrocents);
}

/**
 * Ends calls: outcome and tokens, the charge, and what was held is given back. Never refused for lack of funds. Locks as
 * above.
 * @throws {CallNotRunningError} one of them has ended before.
 */
export async function writeEndings(tx: Transaction, ended: readonly Ending[], nowMs: number): Promise<void> {
  await endCalls(tx, ended, nowMs);
  const settled = await settlementsOf(tx, ended, nowMs);
  await settle(tx, settled, "call");
}

/**
 * Holds as much for a call as it has used, also beyond the balance: nothing else can then be bought with it. One that has ended
 * is left as it is. Locks as above.
 */
export async function raiseHold(
  tx: Transaction,
  { callId, accountId, usedMicrocents }: UsedCall,
): Promise<void> {
  const held = await lockHold(tx, callId);
  if (held === null || held >= usedMicrocents) return;
  await updateHold(tx, callId, usedMicrocents);
  await holdUsed(tx, [{ accountId, reference: callId, amountMicrocents: subtract(usedMicrocents, held) }]);
}

/** What is given back is what the rows say, where that may be more than was held at the beginning. */
async function settlementsOf(
  tx: Transaction,
  ended: readonly Ending[],
  nowMs: number,
): Promise<readonly Settlement[]> {
  const raised = ended.filter(({ isHoldRaised }) => isHoldRaised === true).map(({ callId }) => callId);
  const holds = raised.length === 0 ? null : await findHolds(tx, raised);
  return ended.map((ending) => {
    const holdMicrocents = holds?.get(ending.callId) ?? ending.holdMicrocents;
    return settlementOf({ ...ending, holdMicrocents }, nowMs);
  });
}

function holdOf({
  accountId,
  callId,
  holdMicrocents,
}: Pick<Ending, "accountId" | "callId" | "holdMicrocents">): Hold {
  return { accountId, reference: callId, amountMicrocents: holdMicrocents };
}

function settlementOf(ending: Ending, endedAtMs: number): Settlement {
  return { ...holdOf(ending), chargeMicrocents: ending.amountMicrocents, createdAtMs: endedAtMs };
}
