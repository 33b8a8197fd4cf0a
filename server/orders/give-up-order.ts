import type { OrderId } from "../ids.ts";
import { claimProcessing } from "./claim-processing.ts";
import { releaseOrder } from "./end-order.ts";
import type { Order } from "./order.ts";
import { findOrder } from "./order-store.ts";
import type { Purchase } from "./purchase.ts";
import type { PurchaseContext } from "./purchase-context.ts";
import { findPurchase } from "./purchase-store.ts";

/**
 * processing → failed, on an operator's word and without asking anybody: gives back what was held, and closes the order.
 * For an order that nothing can end. What the supplier may have delivered for it is sold to nobody.
 * @throws {NotFoundError} @throws {ConflictError} it is not processing, or somebody works on it at this moment.
 */
export async function giveUpOrder(
  context: PurchaseContext,
  orderId: OrderId,
): Promise<{ order: Order; purchase: Purchase }> {
  await releaseOrder(context, await claimProcessing(context, orderId, "given up"), "closed");
  const [order, purchase] = await Promise.all([
    findOrder(context.database, orderId),
    findPurchase(context.database, orderId),
  ]);
  if (order === null || purchase === null) throw new Error(`Order ${orderId} is gone.`);
  return { order, purchase };
}
