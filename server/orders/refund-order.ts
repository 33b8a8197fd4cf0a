import { recordAction } from "../actions/record-action.ts";
import { type Clock, utcDay } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { CommitOutcomeUnknownError } from "../database/faults.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../errors.ts";
import type { OrderId } from "../ids.ts";
import { reduceDailySpend } from "../keys/key-store.ts";
import { book } from "../ledger/funds-store.ts";
import type { Order } from "./order.ts";
import { findOrder, lockOrder, markRefunded } from "./order-store.ts";

const MAX_REASON_LENGTH = 1_000;

/** What refunding orders needs. */
export interface RefundDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/** A refunded order; `repeated` when it had been refunded before and nothing was changed now. */
export interface Refunded {
  readonly order: Order;
  readonly repeated: boolean;
}

/**
 * Credits a delivered order's amount and closes the order. Its codes stay sold; the key's daily spend is given back
 * when the order was placed on the same UTC day. Repeating it changes nothing.
 * @throws {NotFoundError} @throws {ConflictError} the order is not delivered. @throws {InvalidInputError} the reason.
 */
export async function refundOrder(
  { database, clock }: RefundDependencies,
  orderId: OrderId,
  reason: string,
): Promise<Refunded> {
  if (reason.trim() === "" || reason.length > MAX_REASON_LENGTH) {
    throw new InvalidInputError(`A refund's reason has 1 to ${MAX_REASON_LENGTH} characters.`);
  }
  try {
    return await transaction(database, (tx) => refundInTransaction(tx, orderId, reason, clock()));
  } catch (error) {
    if (!(error instanceof CommitOutcomeUnknownError)) throw error;
    // Where it cannot be asked, the outcome stays unknown.
    const order = await findOrder(database, orderId).catch(() => null);
    if (order?.status !== "refunded") throw error;
    return { order, repeated: false };
  }
}

async function refundInTransaction(
  tx: Transaction,
  orderId: OrderId,
  reason: string,
  nowMs: number,
): Promise<Refunded> {
  const order = await lockOrder(tx, orderId);
  if (order === null) throw new NotFoundError("order", orderId);
  if (order.status === "refunded") return { order, repeated: true };
  if (order.status !== "delivered") {
    throw new ConflictError(`Order ${orderId} is ${order.status}; only a delivered order can be refunded.`, {
      orderId,
      status: order.status,
    });
  }
  await markRefunded(tx, orderId, nowMs);
  await credit(tx, order, reason, nowMs);
  if (order.spendDay === utcDay(nowMs)) {
    await reduceDailySpend(tx, order.keyId, order.spendDay, order.amountMicrocents);
  }
  await recordAction(tx, {
    operation: "refundOrder",
    targetId: orderId,
    before: { status: order.status },
    after: { status: "refunded", amountMicrocents: order.amountMicrocents },
    reason,
  });
  return { order: { ...order, status: "refunded", refundedAtMs: nowMs }, repeated: false };
}

async function credit(tx: Transaction, order: Order, reason: string, nowMs: number): Promise<void> {
  const booked = await book(tx, {
    accountId: order.accountId,
    type: "refund",
    amountMicrocents: order.amountMicrocents,
    reference: order.orderId,
    note: reason,
    createdAtMs: nowMs,
  });
  if (!booked)
    throw new ConflictError("The account's balance is too large to take the refund.", {
      orderId: order.orderId,
    });
}
