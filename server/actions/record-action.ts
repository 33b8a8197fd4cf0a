import type { Transaction } from "../database/transaction.ts";
import { type Acting, presentActing } from "./acting.ts";
import { type Action, type NewAction, OPERATIONS } from "./action.ts";
import { insertAction, lockChainEnd, moveChainEnd } from "./action-store.ts";
import { hashAction } from "./hash-action.ts";
import { type Difference, differenceOf } from "./state.ts";

const MAX_NAME_LENGTH = 320;
const MAX_REASON_LENGTH = 1_000;

/**
 * Records what an operator does, in the transaction that does it, and nothing where no operator does it or nothing is changed.
 * It takes the lock that all actions share, so it is the last statement of its transaction: nobody who has the lock waits for
 * another.
 * @throws {ActionChainBrokenError} the end of the chain is gone, or not where the actions end.
 */
export async function recordAction(tx: Transaction, action: NewAction): Promise<void> {
  const acting = presentActing();
  const difference = differenceOf(action.before ?? null, action.after ?? null);
  if (acting === null || difference === null) return;
  const end = await lockChainEnd(tx);
  const next = actionAfter(end, acting, action, difference);
  const hash = hashAction(end.hash, next);
  await insertAction(tx, { ...next, previousHash: end.hash, hash });
  await moveChainEnd(tx, end, { sequence: next.sequence, hash, createdAtMs: next.createdAtMs });
}

function actionAfter(
  end: { readonly sequence: bigint; readonly createdAtMs: number },
  { by, requestId, clock }: Acting,
  { operation, targetId, reason = null }: NewAction,
  difference: Difference,
): Action {
  return {
    sequence: end.sequence + 1n,
    createdAtMs: Math.max(clock(), end.createdAtMs),
    actor: { ...by, name: stored(by.name, MAX_NAME_LENGTH) },
    operation,
    targetKind: OPERATIONS[operation],
    targetId: targetId.toWellFormed(),
    ...difference,
    reason: reason === null ? null : stored(reason, MAX_REASON_LENGTH),
    requestId,
  };
}

/** A text as the database gives it back, so that its hash stays the same. */
function stored(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed();
}

/**
 * Changes a thing and records what an operator has changed of it, which is nothing where it was the same before.
 * @param read locks the thing and gives it as it is; null: there is none.
 * @param change says whether there was such a thing.
 */
export async function recordedChange(
  tx: Transaction,
  action: Pick<NewAction, "operation" | "targetId">,
  { read, change }: { read: () => Promise<object | null>; change: () => Promise<boolean> },
): Promise<boolean> {
  const before = await read();
  const isFound = await change();
  if (isFound) await recordAction(tx, { ...action, before, after: await read() });
  return isFound;
}
