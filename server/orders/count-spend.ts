import type { Transaction } from "../database/transaction.ts";
import { addDailySpend, dailySpend } from "../keys/key-store.ts";
import { KeyDailyLimitExceededError } from "./errors.ts";
import type { Candidate } from "./judge-request.ts";
import { exceeds } from "./rules.ts";

/**
 * Counts an order towards what its key has spent on the day, and takes the lock of that record.
 * @throws {KeyDailyLimitExceededError} it would pass the key's cap.
 */
export async function countSpend(
  tx: Transaction,
  { order, request }: Pick<Candidate, "order" | "request">,
): Promise<void> {
  await addDailySpend(tx, order.keyId, order.spendDay, order.amountMicrocents);
  const cap = request.caller.dailyCapMicrocents;
  if (cap !== null && exceeds(await dailySpend(tx, order.keyId, order.spendDay), cap)) {
    throw new KeyDailyLimitExceededError(cap);
  }
}
