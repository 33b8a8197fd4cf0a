import type { Transaction } from "../database/transaction.ts";
import { addDailySpends, dailySpend } from "../keys/key-store.ts";
import { KeyDailyLimitExceededError } from "./errors.ts";
import type { StockOrderCandidate } from "./judge-request.ts";
import { exceeds } from "./rules.ts";

/**
 * Counts orders towards what their keys have spent on the day, and takes the locks of those records.
 * @throws {KeyDailyLimitExceededError} one of them would pass its key's cap.
 */
export async function addToDailySpend(
  tx: Transaction,
  candidates: readonly Pick<StockOrderCandidate, "order" | "request">[],
): Promise<void> {
  const record = ({ order: { keyId, spendDay } }: Pick<StockOrderCandidate, "order">) =>
    `${keyId} ${spendDay}`;
  const sorted = candidates.toSorted((a, b) => (record(a) < record(b) ? -1 : 1));
  await addDailySpends(
    tx,
    sorted.map(({ order: { keyId, spendDay, amountMicrocents } }) => ({
      keyId,
      day: spendDay,
      amountMicrocents,
    })),
  );
  for (const { order, request } of sorted) {
    const cap = request.caller.dailyCapMicrocents;
    if (cap !== null && exceeds(await dailySpend(tx, order.keyId, order.spendDay), cap)) {
      throw new KeyDailyLimitExceededError(cap);
    }
  }
}
