import type { PricedProduct } from "../catalog/product.ts";
import type { Caller } from "../keys/api-key.ts";
import { type Microcents, multiply, parseDecimalMoney } from "../money/microcents.ts";
import { IdempotencyConflictError, KeyOrderLimitExceededError, PriceChangedError } from "./errors.ts";
import type { Order } from "./order.ts";

/** What a buyer orders, as the interface takes it. */
export interface OrderRequest {
  readonly caller: Caller;
  readonly externalOrderId: string;
  readonly productId: string;
  readonly qty: number;
  /** DecimalMoney text of the unit price that the buyer has confirmed, or null for whatever it is. */
  readonly expectedUnitPrice: string | null;
}

/**
 * What a request means for the order that its externalOrderId already stands for: it is delivered and given again
 * (`replay`), its purchase is to be carried on (`resume`), or it is to be tried afresh (`again`).
 */
export type KnownOrder = "replay" | "resume" | "again";

/** Judges a request whose externalOrderId stands for an order. @throws {IdempotencyConflictError} */
export function judgeKnownOrder(order: Order, request: OrderRequest): KnownOrder {
  if (order.productId !== request.productId || order.qty !== request.qty) {
    throw IdempotencyConflictError.otherOrder(order);
  }
  switch (order.status) {
    case "delivered":
      return "replay";
    case "processing":
      return "resume";
    case "retryable":
      return "again";
    case "failed":
    case "refunded":
      throw IdempotencyConflictError.closed(order);
  }
}

/**
 * Judges price and single-order cap of a new order.
 * @throws {PriceChangedError} @throws {KeyOrderLimitExceededError}
 */
export function checkNewOrder(offer: PricedProduct, request: OrderRequest): void {
  const { expectedUnitPrice, caller, qty } = request;
  const { unitPriceMicrocents } = offer;
  if (expectedUnitPrice !== null && parseDecimalMoney(expectedUnitPrice) !== unitPriceMicrocents) {
    throw new PriceChangedError(expectedUnitPrice, unitPriceMicrocents);
  }
  const amount = multiply(unitPriceMicrocents, qty);
  const cap = caller.orderCapMicrocents;
  if (exceeds(amount, cap)) throw new KeyOrderLimitExceededError(amount, cap);
}

/** Whether an amount is above a cap; no cap is never exceeded. */
export function exceeds<Cap extends Microcents | null>(
  amount: Microcents,
  cap: Cap,
): cap is Cap & Microcents {
  return cap !== null && amount > cap;
}
