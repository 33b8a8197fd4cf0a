import type { Database } from "../database/database.ts";
import { ConflictError, NotFoundError } from "../errors.ts";
import type { OrderId } from "../ids.ts";
import { type ClaimAbandonedDependencies, claimAbandoned, type RecordClaim } from "./claim-abandoned.ts";
import { OrderInProgressError } from "./errors.ts";
import type { Order } from "./order.ts";
import { findOrder } from "./order-store.ts";
import type { ClaimedPurchase, Purchase } from "./purchase.ts";
import { findPurchase } from "./purchase-store.ts";

/** What an operator wants to do with an order that is processing. */
type Purpose = "resolved" | "given up";

/**
 * Claims the purchase of an order that is processing, for an operator.
 * @throws {NotFoundError} @throws {ConflictError} it is not processing, or a process works on it at this moment.
 */
export async function claimProcessing(
  dependencies: ClaimAbandonedDependencies,
  orderId: OrderId,
  purpose: Purpose,
  record: RecordClaim | null = null,
): Promise<ClaimedPurchase> {
  const found = await findOrder(dependencies.database, orderId);
  if (found === null) throw new NotFoundError("order", orderId);
  checkProcessing(found, purpose);
  return claimAbandoned(dependencies, orderId, record).catch(async (error: unknown) => {
    throw error instanceof OrderInProgressError ? await whyNotTaken(dependencies, orderId, purpose) : error;
  });
}

/** The order and its purchase as they are when the operator's work on them is done. */
export async function readBack(
  database: Database,
  orderId: OrderId,
): Promise<{ order: Order; purchase: Purchase }> {
  const [order, purchase] = await Promise.all([
    findOrder(database, orderId),
    findPurchase(database, orderId),
  ]);
  if (order === null || purchase === null) throw new Error(`Order ${orderId} is gone.`);
  return { order, purchase };
}

/** @throws {ConflictError} the order is not processing. */
export function checkProcessing({ orderId, status, errorCode }: Order, purpose: Purpose): void {
  if (status === "processing") return;
  throw new ConflictError(`Order ${orderId} is ${status}; only one that is processing can be ${purpose}.`, {
    orderId,
    status,
    ...(errorCode === null ? {} : { errorCode }),
  });
}

/** Another attempt is at work on it, or has just ended it. */
async function whyNotTaken(
  { database }: ClaimAbandonedDependencies,
  orderId: OrderId,
  purpose: Purpose,
): Promise<ConflictError> {
  const [order, purchase] = await Promise.all([
    findOrder(database, orderId),
    findPurchase(database, orderId),
  ]);
  if (order !== null) checkProcessing(order, purpose);
  const untilMs = purchase?.dueAtMs ?? null;
  return new ConflictError(`A process works on order ${orderId} at this moment.`, {
    orderId,
    ...(untilMs === null ? {} : { until: new Date(untilMs).toISOString() }),
  });
}
