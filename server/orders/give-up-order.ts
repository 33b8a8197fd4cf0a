import { recordAction } from "../actions/record-action.ts";
import type { OrderId } from "../ids.ts";
import type { ClaimAbandonedDependencies } from "./claim-abandoned.ts";
import { claimProcessing, readBack } from "./claim-processing.ts";
import { type ReleaseOrderDependencies, releaseOrder } from "./end-order.ts";
import type { Order } from "./order.ts";
import type { Purchase } from "./purchase.ts";

/** What giving up orders needs. */
export type GiveUpDependencies = ClaimAbandonedDependencies & ReleaseOrderDependencies;

/**
 * processing → failed, on an operator's word and without asking the supplier: releases the hold, and closes the order.
 * For an order that nothing can end. What the supplier may have delivered for it is not sold.
 * @throws {NotFoundError} @throws {ConflictError} it is not processing, or a process works on it at this moment.
 */
export async function giveUpOrder(
  dependencies: GiveUpDependencies,
  orderId: OrderId,
): Promise<{ order: Order; purchase: Purchase }> {
  const claimed = await claimProcessing(dependencies, orderId, "given up");
  const { status, amountMicrocents } = claimed.order;
  await releaseOrder(dependencies, claimed, "closed", (tx) =>
    recordAction(tx, {
      operation: "giveUpOrder",
      targetId: orderId,
      before: { status },
      after: { status: "failed", releasedMicrocents: amountMicrocents },
    }),
  );
  return readBack(dependencies.database, orderId);
}
