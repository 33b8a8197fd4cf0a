import { ConflictError, NotFoundError } from "../errors.ts";
import type { OrderId } from "../ids.ts";
import type { Order } from "./order.ts";
import { findOrder } from "./order-store.ts";
import { takeUp } from "./place-on-demand.ts";
import type { ClaimedPurchase, PurchaseContext } from "./purchase-context.ts";
import { findPurchase } from "./purchase-store.ts";

/** What an operator wants to do with an order that is processing. */
type Purpose = "resolved" | "given up";

/**
 * Claims the purchase of an order that is processing, for an operator.
 * @throws {NotFoundError} @throws {ConflictError} it is not processing, or somebody works on it at this moment.
 */
export async function claimProcessing(
  context: PurchaseContext,
  orderId: OrderId,
  purpose: Purpose,
): Promise<ClaimedPurchase> {
  const found = await findOrder(context.database, orderId);
  if (found === null) throw new NotFoundError("order", orderId);
  checkProcessing(found, purpose);
  const taken = await takeUp(context, orderId);
  if ("inProgress" in taken) throw await whyNotTaken(context, orderId, purpose);
  return taken;
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

/** Somebody works on it, or has just ended it. */
async function whyNotTaken(
  { database }: PurchaseContext,
  orderId: OrderId,
  purpose: Purpose,
): Promise<ConflictError> {
  const [order, purchase] = await Promise.all([
    findOrder(database, orderId),
    findPurchase(database, orderId),
  ]);
  if (order !== null) checkProcessing(order, purpose);
  const untilMs = purchase?.dueAtMs ?? null;
  return new ConflictError(`Somebody works on order ${orderId} at this moment.`, {
    orderId,
    ...(untilMs === null ? {} : { until: new Date(untilMs).toISOString() }),
  });
}
