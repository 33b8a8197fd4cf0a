import { batchedRead } from "../database/batched-read.ts";
import type { Database } from "../database/database.ts";
import { DatabaseUnavailableError } from "../database/faults.ts";
import type { Attempts } from "./attempts.ts";
import { IdempotencyConflictError, OrderCommitPendingError, OrderInProgressError } from "./errors.ts";
import type { OpenOrder } from "./open-order.ts";
import type { Order, PlacedOrder } from "./order.ts";
import { findByIdentities, isOrderLocked, type OrderIdentity, type StoredOrder } from "./order-store.ts";
import { judgeKnownOrder, type OrderRequest } from "./rules.ts";

/** What looking up the orders of externalOrderIds needs. */
export interface KnownOrdersDependencies {
  readonly database: Database;
  readonly openOrder: OpenOrder;
  readonly attempts: Pick<Attempts, "hasEarlier">;
}

export type KnownOrders = ReturnType<typeof createKnownOrders>;

/** The orders that externalOrderIds stand for already, as they are in the database now. */
export function createKnownOrders({ database, openOrder, attempts }: KnownOrdersDependencies) {
  const read = batchedRead((keys: readonly OrderIdentity[]) => findByIdentities(database, keys));

  const find = ({ caller: { accountId }, externalOrderId }: OrderRequest): Promise<StoredOrder | null> =>
    read({ accountId, externalOrderId });

  /** The order when it is delivered; null when there is none, or it is on its way. @throws {IdempotencyConflictError} */
  async function findDelivered(request: OrderRequest): Promise<StoredOrder | null> {
    const known = await find(request);
    return known !== null && judgeKnownOrder(known.order, request) === "replay" ? known : null;
  }

  return {
    /** The order that a request's externalOrderId stands for, whatever the request is; null for none. */
    find,

    /**
     * The same for a request that is about to be refused, once no earlier attempt at the order can be under way: neither in
     * this process, nor in a transaction of another that has written the order.
     * @throws {OrderInProgressError} one is under way, and may deliver it.
     */
    async findUnlessUnderWay(request: OrderRequest): Promise<StoredOrder | null> {
      const { caller, externalOrderId } = request;
      if (attempts.hasEarlier(request)) throw new OrderInProgressError();
      if (await isOrderLocked(database, { accountId: caller.accountId, externalOrderId }))
        throw new OrderInProgressError();
      return find(request);
    },

    /**
     * The outcome when another attempt at the same order was faster: unless that has delivered it, the buyer's next
     * attempt finds out more.
     * @throws {OrderInProgressError} @throws {IdempotencyConflictError}
     */
    async replayCommitted(request: OrderRequest): Promise<PlacedOrder> {
      const winner = await findDelivered(request);
      if (winner === null) throw new OrderInProgressError();
      return { order: await openOrder(winner), reused: true };
    },

    /**
     * The outcome after a commit whose answer never came: what the database knows decides, asked on another connection.
     * @throws {OrderCommitPendingError} it cannot be asked, or has no delivered order. @throws {IdempotencyConflictError}
     */
    async resolveUnknownCommit(request: OrderRequest, { orderId }: Order): Promise<PlacedOrder> {
      const known = await findDelivered(request).catch((error: unknown) => {
        throw error instanceof IdempotencyConflictError ? error : new OrderCommitPendingError();
      });
      if (known === null) throw new OrderCommitPendingError();
      const order = await openOrder(known).catch((error: unknown) => {
        throw error instanceof DatabaseUnavailableError ? new OrderCommitPendingError() : error;
      });
      return { order, reused: known.order.orderId !== orderId };
    },
  };
}
