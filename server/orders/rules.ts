import type { PricedProduct } from "../catalog/product.ts";
import type { DomainError } from "../errors.ts";
import type { Caller } from "../keys/api-key.ts";
import { type Microcents, multiply, parseDecimalMoney } from "../money/microcents.ts";
import { IdempotencyConflictError, KeyOrderLimitExceededError, PriceChangedError } from "./errors.ts";
import type { Order } from "./order.ts";

/** A buyer's wish, as the interface takes it. */
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
 * (`replay`), its purchase is to be carried on (`resume`), it is to be tried afresh (`again`), or the request is refused.
 */
export type KnownOrder = "replay" | "resume" | "again" | DomainError;

/** Judges a request whose externalOrderId stands for an order. */
export function judgeKnownOrder(order: Order, request: OrderRequest): KnownOrder {
  if (order.productId !== request.productId || order.qty !== request.qty) {
    return IdempotencyConflictError.otherPurchase(order);
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
      return IdempotencyConflictError.closed(order);
  }
}

/** Whether price or single-order cap stand against a new order; null when they do not. */
export function refuseNewOrder(offer: PricedProduct, request: OrderRequest): DomainError | null {
  const { expectedUnitPrice, caller, qty } = request;
  const { unitPriceMicrocents } = offer;
  if (expectedUnitPrice !== null && parseDecimalMoney(expectedUnitPrice) !== unitPriceMicrocents) {
    return new PriceChangedError(expectedUnitPrice, unitPriceMicrocents);
  }
  const amount = multiply(unitPriceMicrocents, qty);
  return exceeds(amount, caller.orderCapMicrocents)
    ? new KeyOrderLimitExceededError(amount, caller.orderCapMicrocents)
    : null;
}

/** Whether an amount is above a cap; no cap is never exceeded. */
export function exceeds<Cap extends Microcents | null>(
  amount: Microcents,
  cap: Cap,
): cap is Cap & Microcents {
  return cap !== null && amount > cap;
}
