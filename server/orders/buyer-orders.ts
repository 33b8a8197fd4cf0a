import type { Actor } from "../activity/activity-entry.ts";
import { createBackgroundWork } from "../background-work.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { DomainError, InvalidInputError, NotFoundError } from "../errors.ts";
import { type AccountId, parseId } from "../ids.ts";
import type { Log } from "../log.ts";
import { fromCursor, toCursor } from "./cursor.ts";
import { OrderInProgressError } from "./errors.ts";
import type { OpenOrder } from "./open-order.ts";
import type { Order, OrderWithCodes, PlacedOrder } from "./order.ts";
import {
  findByOrderId,
  findOrder,
  listOrders,
  listOrdersOfPeriod,
  type OrderPosition,
} from "./order-store.ts";
import type { PlaceOrder } from "./place-order.ts";
import type { OrderRequest } from "./rules.ts";
import { recordShownCodes } from "./show-codes.ts";

const DEADLINE_MS = 25_000;
const LATE_RETRY_SECONDS = 5;

/** What buyers' orders need. */
export interface BuyerOrdersDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly placeOrder: PlaceOrder;
  readonly openOrder: OpenOrder;
  /** An order call answers within this time whatever happens behind it; 25 s when not given. */
  readonly deadlineMs?: number | undefined;
}

/** One page of an account's orders. */
export interface OrderPage {
  readonly orders: readonly Order[];
  /** Continues the list; null on the last page. */
  readonly nextCursor: string | null;
}

/** Which page of an account's orders is wanted. */
export interface PageRequest {
  readonly limit: number;
  /** Where an earlier page ended; the first page when not given. */
  readonly cursor?: string | undefined;
  readonly externalOrderId?: string | undefined;
  /** Only orders made from this moment on. */
  readonly fromMs?: number | undefined;
  /** Only orders made before this moment. */
  readonly toMs?: number | undefined;
}

export type BuyerOrders = ReturnType<typeof createBuyerOrders>;

/** What buyers do: place orders and read their own. */
export function createBuyerOrders({
  database,
  clock,
  log,
  placeOrder,
  openOrder,
  deadlineMs = DEADLINE_MS,
}: BuyerOrdersDependencies) {
  const { track, idle } = createBackgroundWork();

  async function get(accountId: AccountId, orderIdText: string): Promise<OrderWithCodes> {
    const orderId = parseId("ord", orderIdText);
    const stored = orderId === null ? null : await findByOrderId(database, accountId, orderId);
    if (stored === null) throw new NotFoundError("order", orderIdText);
    return openOrder(stored);
  }

  return {
    /** Buys codes, or gives the order that the externalOrderId already stands for. @throws {DomainError} refused. */
    place: (request: OrderRequest): Promise<PlacedOrder> =>
      withinDeadline(track(placeOrder(request)), deadlineMs, log),

    /** An account's order with its codes. @throws {NotFoundError} also when it belongs to another account. */
    get,

    /**
     * The same for one of the account's people, which is recorded.
     * @throws {NotFoundError} @throws {NoCodesError} it is not delivered, or was refunded.
     */
    async showCodes(accountId: AccountId, orderIdText: string, by: Actor): Promise<OrderWithCodes> {
      const order = await get(accountId, orderIdText);
      await recordShownCodes({ database, clock }, order, by);
      return order;
    },

    /** The same without its codes. @throws {NotFoundError} */
    async find(accountId: AccountId, orderIdText: string): Promise<Order> {
      const orderId = parseId("ord", orderIdText);
      const order = orderId === null ? null : await findOrder(database, orderId);
      if (order === null || order.accountId !== accountId) throw new NotFoundError("order", orderIdText);
      return order;
    },

    /** A page of an account's orders, newest first. @throws {InvalidInputError} the cursor is bad or foreign. */
    page: (accountId: AccountId, request: PageRequest): Promise<OrderPage> =>
      readPage(database, accountId, request),

    /** Resolves when no order that this process began is under way any more. */
    idle,
  };
}

/**
 * Waits for work on an order only as long as a buyer may have to; the work itself goes on.
 * @throws {OrderInProgressError} it takes longer.
 */
async function withinDeadline<T>(work: Promise<T>, deadlineMs: number, log: Log): Promise<T> {
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

async function readPage(
  database: Database,
  accountId: AccountId,
  { limit, cursor, ...filter }: PageRequest,
): Promise<OrderPage> {
  const before = cursor === undefined ? undefined : await positionOf(database, accountId, cursor);
  const { externalOrderId, fromMs, toMs } = filter;
  // One more than is shown tells whether the list goes on.
  const found =
    fromMs === undefined && toMs === undefined
      ? await listOrders(database, { accountId, externalOrderId, before: before?.orderId }, limit + 1)
      : await listOrdersOfPeriod(database, accountId, { ...filter, before }, limit + 1);
  const orders = found.slice(0, limit);
  const last = orders.at(-1);
  return { orders, nextCursor: found.length > limit && last !== undefined ? toCursor(last.orderId) : null };
}

async function positionOf(database: Database, accountId: AccountId, cursor: string): Promise<OrderPosition> {
  const orderId = fromCursor(cursor);
  const order = orderId === null ? null : await findOrder(database, orderId);
  if (order === null || order.accountId !== accountId) {
    throw new InvalidInputError("The cursor is none that this list gave. Begin again without a cursor.");
  }
  return order;
}
