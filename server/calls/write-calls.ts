import type { Transaction } from "../database/transaction.ts";
import type { CallId } from "../ids.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import { changeHolds, type Hold, type Settlement, settle, settleAndHold } from "../ledger/funds.ts";
import { type Microcents, subtract, ZERO } from "../money/microcents.ts";
import type { Call } from "./call.ts";
import { type EndedCall, endCalls, insertCalls, lockHolds, updateHolds } from "./call-store.ts";

/** A call that ends, with what is held for it. */
export interface Ending extends EndedCall, Pick<Call, "accountId"> {
  readonly holdMicrocents: Microcents;
  /** Whether more or less may have been held since it began, as its row then says. */
  readonly isHoldChanged?: boolean;
}

/** What is to be held for a call that runs: so much at the least or at the most. */
export interface HoldChange extends Pick<Call, "callId" | "accountId"> {
  readonly bound: "least" | "most";
  readonly holdMicrocents: Microcents;
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
  if (shortage !== null) throw InsufficientBalanceError.ofCall(first.holdMicrocents, shortage.funds);
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
 * Holds more for calls, also beyond the balance, so that nothing else can be bought with it, or less. Those that have ended, and
 * those for which as much is held, are left as they are. Locks as above.
 */
export async function changeHoldsOfCalls(tx: Transaction, changes: readonly HoldChange[]): Promise<void> {
  const held = await lockHolds(tx, changes.map(callIdOf));
  const changed = changes.filter(({ callId, bound, holdMicrocents }) => {
    const own = held.get(callId);
    if (own === undefined || !own.isRunning) return false;
    return bound === "least" ? own.holdMicrocents < holdMicrocents : own.holdMicrocents > holdMicrocents;
  });
  if (changed.length === 0) return;
  await updateHolds(tx, changed);
  const heldBefore = ({ callId }: HoldChange) => held.get(callId)?.holdMicrocents ?? ZERO;
  const differences = changed.map((change) => ({
    ...holdOf(change),
    amountMicrocents: subtract(change.holdMicrocents, heldBefore(change)),
  }));
  await changeHolds(tx, differences);
}

function callIdOf({ callId }: Pick<Call, "callId">): CallId {
  return callId;
}

/** What is given back is what the rows say, where that may be another amount than was held at the beginning. */
async function settlementsOf(
  tx: Transaction,
  ended: readonly Ending[],
  nowMs: number,
): Promise<readonly Settlement[]> {
  const changed = ended.filter(({ isHoldChanged }) => isHoldChanged === true).map(callIdOf);
  const holds = changed.length === 0 ? null : await lockHolds(tx, changed);
  return ended.map((ending) => {
    const holdMicrocents = holds?.get(ending.callId)?.holdMicrocents ?? ending.holdMicrocents;
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
