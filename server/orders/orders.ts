import { batchedRead } from "../database/batched-read.ts";
import { combinedTransaction } from "../database/combined-write.ts";
import { DomainError, InvalidInputError, NotFoundError } from "../errors.ts";
import { type AccountId, type OrderId, parseId } from "../ids.ts";
import { codeContext } from "../stock/code-cipher.ts";
import type { CodeRange } from "../stock/segment.ts";
import { findCodes, type ProductRange } from "../stock/stock-store.ts";
import { fromCursor, toCursor } from "./cursor.ts";
import { writeDeliveries } from "./end-order.ts";
import { OrderInProgressError } from "./errors.ts";
import { giveUpOrder } from "./give-up-order.ts";
import type { Candidate, PlacingContext } from "./judge-request.ts";
import type { Order, OrderWithCodes } from "./order.ts";
import {
  type BuyersKey,
  findByBuyersKeys,
  findByOrderId,
  findOrder,
  listOrders,
  type OrderFilter,
  type StoredOrder,
} from "./order-store.ts";
import { writeSales } from "./place-from-stock.ts";
import { writeAcceptances } from "./place-on-demand.ts";
import { placeOrder } from "./place-order.ts";
import type { Purchase } from "./purchase.ts";
import type { PurchaseWrites } from "./purchase-context.ts";
import { findPurchase, findPurchasedCodes } from "./purchase-store.ts";
import { openCode } from "./purchased-code.ts";
import { type ReconcileRequest, reconcile } from "./reconcile.ts";
import { type Recovery, type RecoverySettings, startRecovery } from "./recovery.ts";
import { refundOrder } from "./refund-order.ts";
import { resolveOrder } from "./resolve-order.ts";
import type { OrderRequest } from "./rules.ts";
import {
  countProcessingFrom,
  countUnfinished,
  findProcessingSince,
  type ProcessingOrder,
  type UnfinishedCounts,
} from "./unfinished-store.ts";

const DEADLINE_MS = 25_000;
const LATE_RETRY_SECONDS = 5;

/** An order that is processing for longer than this is stuck: a person should look at it. */
export const STUCK_AFTER_MS = 60 * 60 * 1_000;

/** One page of an account's orders. */
export interface OrderPage {
  readonly orders: readonly Order[];
  /** Continues the list; null on the last page. */
  readonly nextCursor: string | null;
}

/** A buyer's order; `reused` when it had been delivered before. */
interface PlacedOrder {
  readonly order: OrderWithCodes;
  readonly reused: boolean;
}

/** What orders need. */
interface Options extends Omit<PlacingContext, "findKnown" | "sell" | "writes"> {
  /** An order call answers within this time whatever happens behind it; 25 s when not given. */
  readonly deadlineMs?: number | undefined;
}

export type Orders = ReturnType<typeof createOrders>;

/** Placing, reading, recovering and refunding orders. */
export function createOrders(options: Options) {
  const { database, clock, cipher, log, deadlineMs = DEADLINE_MS } = options;
  const underWay = new Set<Promise<unknown>>();
  const findKnown = batchedRead((keys: readonly BuyersKey[]) => findByBuyersKeys(database, keys));
  const writes: PurchaseWrites = {
    accept: combinedTransaction(database, writeAcceptances),
    deliver: combinedTransaction(database, writeDeliveries),
  };
  const sell = combinedTransaction<Candidate, readonly CodeRange[]>(database, (tx, candidates) =>
    writeSales(tx, cipher, candidates),
  );
  const context: PlacingContext = { ...options, findKnown, sell, writes };
  const readCodes = batchedRead((ranges: readonly ProductRange[]) => findCodes(database, ranges));
  const readPurchasedCodes = batchedRead((ids: readonly OrderId[]) => findPurchasedCodes(database, ids));

  async function opened(stored: StoredOrder): Promise<OrderWithCodes> {
    const { order } = stored;
    if (order.status !== "delivered") return { ...order, codes: [] };
    const codes = stored.ranges.length > 0 ? await stockCodes(stored) : await purchasedCodes(order.orderId);
    if (codes.length !== order.qty) {
      throw new Error(`Order ${order.orderId} has ${codes.length} codes instead of ${order.qty}.`);
    }
    return { ...order, codes };
  }

  async function stockCodes({ order: { productId }, ranges }: StoredOrder): Promise<string[]> {
    const encrypted = await Promise.all(ranges.map((range) => readCodes({ ...range, productId })));
    return encrypted
      .flat()
      .map(({ sequence, ciphertext }) =>
        cipher.decrypt(ciphertext, codeContext(productId, sequence)).toString(),
      );
  }

  async function purchasedCodes(orderId: OrderId): Promise<string[]> {
    return (await readPurchasedCodes(orderId)).map((code) => openCode(cipher, orderId, code));
  }

  async function placeOne(request: OrderRequest): Promise<PlacedOrder> {
    const placed = await placeOrder(context, request);
    if ("refused" in placed) throw placed.refused;
    if ("bought" in placed) return { order: placed.bought, reused: false };
    return { order: await opened(placed.stored), reused: placed.reused };
  }

  /** Waits for work on an order only as long as a buyer may have to; the work itself goes on. */
  async function withinDeadline<T>(work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(new OrderInProgressError(LATE_RETRY_SECONDS));
      work.catch((error: unknown) => {
        if (!(error instanceof DomainError)) log.error({ err: error }, "work on a late order failed");
      });
    }, deadlineMs);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Work on an order goes on when its buyer has got an answer or is gone. */
  function keepTrack<T>(work: Promise<T>): Promise<T> {
    const forget = () => underWay.delete(work);
    underWay.add(work);
    work.then(forget, forget);
    return work;
  }

  return {
    /** Buys codes, or gives the order that the externalOrderId already stands for. @throws {DomainError} refused. */
    place: (request: OrderRequest): Promise<PlacedOrder> => withinDeadline(keepTrack(placeOne(request))),

    /** An account's order with its codes. @throws {NotFoundError} also when it belongs to another account. */
    async get(accountId: AccountId, orderIdText: string): Promise<OrderWithCodes> {
      const orderId = parseId("ord", orderIdText);
      const stored = orderId === null ? null : await findByOrderId(database, accountId, orderId);
      if (stored === null) throw new NotFoundError("order", orderIdText);
      return opened(stored);
    },

    /** A page of an account's orders, newest first. @throws {InvalidInputError} the cursor is bad or foreign. */
    async page(
      accountId: AccountId,
      { limit, cursor, externalOrderId }: { limit: number; cursor?: string; externalOrderId?: string },
    ): Promise<OrderPage> {
      const before = cursor === undefined ? null : await positionOf(accountId, cursor);
      const filter: OrderFilter = {
        accountId,
        ...(externalOrderId === undefined ? {} : { externalOrderId }),
        ...(before === null ? {} : { before }),
      };
      const found = await listOrders(database, filter, limit + 1);
      const orders = found.slice(0, limit);
      const last = orders.at(-1);
      return {
        orders,
        nextCursor: found.length > limit && last !== undefined ? toCursor(last.orderId) : null,
      };
    },

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
    resolve: (orderId: OrderId) => resolveOrder(context, orderId),

    /** See {@link giveUpOrder}. */
    giveUp: (orderId: OrderId) => giveUpOrder(context, orderId),

    /** See {@link reconcile}. */
    reconcile: (request: ReconcileRequest) => reconcile(context, request),

    /** See {@link startRecovery}. */
    startRecovery: (settings: RecoverySettings): Recovery => startRecovery(context, settings),

    /** Resolves when no order that this process began is under way any more. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },

    /** See {@link refundOrder}. */
    refund: (orderId: OrderId, reason: string) => refundOrder({ database, clock }, orderId, reason),
  };

  async function positionOf(accountId: AccountId, cursor: string): Promise<OrderId> {
    const orderId = fromCursor(cursor);
    const order = orderId === null ? null : await findOrder(database, orderId);
    if (order === null || order.accountId !== accountId) {
      throw new InvalidInputError("The cursor is none that this list gave. Begin again without a cursor.");
    }
    return order.orderId;
  }
}
