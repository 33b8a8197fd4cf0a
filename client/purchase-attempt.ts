import { NoAnswerError } from "./no-answer-error.ts";
import type { Order, OrderingClient } from "./ordering-client.ts";
import type { ErrorCode, OrderingError } from "./ordering-errors.ts";
import type { Delivered, PriceChanged, Refused, StoredPurchase } from "./purchase.ts";

/** What one sending of an order came to. */
export type Attempt =
  | { readonly kind: "delivered"; readonly delivered: Delivered }
  /** To be sent again, after a pause. */
  | { readonly kind: "repeat"; readonly mayHaveTakenEffect: boolean; readonly error: OrderingError | null }
  /** Not to be sent again. */
  | { readonly kind: "stop"; readonly error: OrderingError };

/**
 * What the service knows of a purchase. `not-bought`: not yet; what was sent less than {@link MAX_ORDER_MS} ago may still be.
 * `closed`: not, and never will be under its id. `open`: it is being bought.
 */
export type Found =
  | { readonly kind: "delivered"; readonly delivered: Delivered }
  | { readonly kind: "not-bought" | "closed" | "open" | "unknown" };

/** How long an order that was sent may take until it is in the list, whatever became of its answer; the contract says so. */
export const MAX_ORDER_MS = 60_000;

/** What a listed order says of its purchase. A state that is new in the contract does not compile until it stands here. */
export const FOUND_BY_STATUS: Readonly<Record<Order["status"], Found["kind"]>> = {
  processing: "open",
  retryable: "not-bought",
  delivered: "delivered",
  failed: "closed",
  refunded: "closed",
};

/** `repeat`: send it again. `again-later`: stop; the same id may be used when the cause is gone. `end`: the id is used up. */
type RetryRule = "repeat" | "again-later" | "end";

/** What each code asks of a purchase. */
export const RETRY_RULES: Readonly<Record<ErrorCode, RetryRule>> = {
  rate_limited: "repeat",
  server_error: "repeat",
  supplier_unavailable: "repeat",
  order_in_progress: "repeat",
  order_commit_pending: "repeat",
  unauthorized: "again-later",
  insufficient_balance: "again-later",
  key_daily_limit_exceeded: "again-later",
  insufficient_scope: "again-later",
  key_order_limit_exceeded: "again-later",
  not_found: "again-later",
  out_of_stock: "again-later",
  supplier_price_changed: "again-later",
  supplier_not_configured: "again-later",
  invalid_input: "end",
  bad_request: "end",
  price_changed: "end",
  idempotency_conflict: "end",
};

const REQUEST_TIMEOUT = 408;
const REPEAT_IN_DOUBT = { kind: "repeat", mayHaveTakenEffect: true, error: null } as const;

/** Sends the order of a purchase once. Throws nothing but what is no fault of the connection. */
export async function sendOnce(
  client: OrderingClient,
  purchase: StoredPurchase,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const { externalOrderId, productId, qty, expectedUnitPrice } = purchase;
  const order = {
    externalOrderId,
    productId,
    qty,
    ...(expectedUnitPrice === null ? {} : { expectedUnitPrice }),
  };
  const result = await unlessNoAnswer(client.createOrder(order, { signal }), signal);
  if (result === null) return REPEAT_IN_DOUBT;
  const { data, error } = result;
  if (error !== undefined) return reactionTo(error);
  const delivered = readDelivered(data, purchase);
  return delivered === null ? REPEAT_IN_DOUBT : { kind: "delivered", delivered };
}

function reactionTo(error: OrderingError): Attempt {
  if (error.error === "unreadable_answer") {
    const { status } = error;
    const isPassing = status >= 500 || status < 400 || status === REQUEST_TIMEOUT;
    return isPassing ? { ...REPEAT_IN_DOUBT, error } : { kind: "stop", error };
  }
  if (RETRY_RULES[error.error] !== "repeat") return { kind: "stop", error };
  return { kind: "repeat", mayHaveTakenEffect: error.error !== "rate_limited", error };
}

/** Asks what became of a purchase: by its id in the list, then for its codes. */
export async function lookUp(
  client: OrderingClient,
  purchase: StoredPurchase,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const { externalOrderId } = purchase;
  const list = await unlessNoAnswer(client.listOrders({ externalOrderId }, { signal }), signal);
  const orders = list?.data?.orders;
  if (!Array.isArray(orders)) return { kind: "unknown" };
  const order = orders.find((listed) => listed.externalOrderId === externalOrderId);
  if (order === undefined) return { kind: orders.length === 0 ? "not-bought" : "unknown" };
  // The id stands for something else, so this was never bought.
  if (!isOrderOf(order, purchase)) return { kind: "closed" };
  // Nothing follows from a state that came after this client: least of all that nothing was bought.
  const kind = Object.hasOwn(FOUND_BY_STATUS, order.status) ? FOUND_BY_STATUS[order.status] : "unknown";
  if (kind !== "delivered") return { kind };
  const detail = await unlessNoAnswer(client.getOrder(order.orderId, { signal }), signal);
  const delivered = readDelivered(detail?.data, purchase);
  return delivered === null ? { kind: "unknown" } : { kind: "delivered", delivered };
}

/** An error as the end of a purchase; null when it proves nothing. */
export function refusalOf(error: OrderingError): Refused | PriceChanged | null {
  if (error.error === "unreadable_answer") return null;
  if (error.error === "price_changed" && error.details !== null) {
    return { kind: "price_changed", ...error.details };
  }
  const { error: code, message, details } = error;
  return { kind: "refused", error: code, message, details, mayRepeat: RETRY_RULES[code] === "again-later" };
}

/** What was bought, when the answer is the order that was asked for with all of its codes and their address. */
function readDelivered(order: Partial<Order> | undefined, purchase: StoredPurchase): Delivered | null {
  if (order === undefined || order.status !== "delivered" || !isOrderOf(order, purchase)) return null;
  const { orderId, unitPrice, amount, codes, redeemUrl } = order;
  if (!isText(orderId) || !isText(unitPrice) || !isText(amount) || !isText(redeemUrl)) return null;
  if (!Array.isArray(codes) || !codes.every(isText)) return null;
  if (codes.length !== purchase.qty || new Set(codes).size !== purchase.qty) return null;
  return { kind: "delivered", orderId, unitPrice, amount, codes: codes.map((code) => ({ code, redeemUrl })) };
}

function isOrderOf(order: Partial<Order>, { externalOrderId, productId, qty }: StoredPurchase): boolean {
  return order.externalOrderId === externalOrderId && order.productId === productId && order.qty === qty;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Null when there is no answer, or when the signal aborts. */
async function unlessNoAnswer<T>(call: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NoAnswerError || signal?.aborted) return null;
    throw error;
  }
}
