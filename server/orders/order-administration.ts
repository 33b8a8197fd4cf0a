import { NotFoundError } from "../errors.ts";
import type { OrderId } from "../ids.ts";
import { type GiveUpDependencies, giveUpOrder } from "./give-up-order.ts";
import type { Order } from "./order.ts";
import { findOrder, listOrders, type OrderFilter } from "./order-store.ts";
import type { Purchase } from "./purchase.ts";
import { findPurchase } from "./purchase-store.ts";
import { type ReconcileDependencies, type ReconcileRequest, reconcile } from "./reconcile.ts";
import { type RefundDependencies, refundOrder } from "./refund-order.ts";
import { type ResolveDependencies, resolveOrder } from "./resolve-order.ts";
import {
  countProcessingFrom,
  countUnfinished,
  findProcessingSince,
  type ProcessingOrder,
  type UnfinishedCounts,
} from "./unfinished-store.ts";

/** An order that is processing for longer than this is stuck: a person should look at it. */
export const STUCK_AFTER_MS = 60 * 60 * 1_000;

/** What the administration of orders needs. */
export type OrderAdministrationDependencies = ResolveDependencies &
  GiveUpDependencies &
  RefundDependencies &
  ReconcileDependencies;

export type OrderAdministration = ReturnType<typeof createOrderAdministration>;

/** What operators do with the orders of all accounts. None of it reads codes: they are the buyers'. */
export function createOrderAdministration(dependencies: OrderAdministrationDependencies) {
  const { database, clock } = dependencies;
  return {
    /** Orders of all accounts, newest first, without codes. */
    search: (filter: OrderFilter, limit: number): Promise<Order[]> => listOrders(database, filter, limit),

    /** Any account's order, without codes. @throws {NotFoundError} */
    async find(orderId: OrderId): Promise<Order> {
      const order = await findOrder(database, orderId);
      if (order === null) throw new NotFoundError("order", orderId);
      return order;
    },

    /** What is bought for an on-demand order; null for an order from stock. */
    purchaseOf: (orderId: OrderId): Promise<Purchase | null> => findPurchase(database, orderId),

    /** Orders that have been processing for that long or longer, the longest first. */
    processingFor: (leastMs: number, limit: number): Promise<ProcessingOrder[]> =>
      findProcessingSince(database, clock() - leastMs, limit),

    /** How many orders have not come to an end, and how many of them are stuck; see {@link STUCK_AFTER_MS}. */
    countUnfinished: (): Promise<UnfinishedCounts> => countUnfinished(database, clock() - STUCK_AFTER_MS),

    /** How many orders are processing that are bought from a supplier. */
    countProcessingFrom: (supplierId: string): Promise<number> => countProcessingFrom(database, supplierId),

    /** See {@link resolveOrder}. */
    resolve: (orderId: OrderId) => resolveOrder(dependencies, orderId),

    /** See {@link giveUpOrder}. */
    giveUp: (orderId: OrderId) => giveUpOrder(dependencies, orderId),

    /** See {@link refundOrder}. */
    refund: (orderId: OrderId, reason: string) => refundOrder(dependencies, orderId, reason),

    /** See {@link reconcile}. */
    reconcile: (request: ReconcileRequest) => reconcile(dependencies, request),
  };
}
