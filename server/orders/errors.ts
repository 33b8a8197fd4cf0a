import { DomainError } from "../errors.ts";
import { formatDecimalMoney, type Microcents } from "../money/microcents.ts";
import type { Order } from "./order.ts";

/** The externalOrderId stands for an order of something else, or for one that is closed. */
export class IdempotencyConflictError extends DomainError {
  readonly code = "idempotency_conflict";

  static otherOrder(order: Order): IdempotencyConflictError {
    return new IdempotencyConflictError(
      `This externalOrderId was used for ${order.qty} of product ${order.productId}. Use a new one for another purchase.`,
      { orderId: order.orderId, productId: order.productId, qty: order.qty },
    );
  }

  static closed(order: Order): IdempotencyConflictError {
    return new IdempotencyConflictError(
      `The order of this externalOrderId is ${order.status} and closed. Use a new one for a new purchase.`,
      { orderId: order.orderId, status: order.status, errorCode: order.errorCode },
    );
  }
}

/** The order has no codes that could be shown. */
export class NoCodesError extends DomainError {
  readonly code = "no_codes";

  constructor(order: string, status: string) {
    super(`The order is ${status}, so it has no codes to show.`, { order, status });
  }
}

/** The price is not the one the buyer expects. */
export class PriceChangedError extends DomainError {
  readonly code = "price_changed";

  constructor(expectedUnitPrice: string, actual: Microcents) {
    super(
      "The price has changed. Read the products again and confirm the new price under a new externalOrderId.",
      {
        expectedUnitPrice,
        actualUnitPrice: formatDecimalMoney(actual),
      },
    );
  }
}

/** The order costs more than the key may spend on one order. */
export class KeyOrderLimitExceededError extends DomainError {
  readonly code = "key_order_limit_exceeded";

  constructor(amount: Microcents, cap: Microcents) {
    super(
      "The order costs more than this key may spend on one order. Lower the quantity or have the cap raised.",
      {
        amount: formatDecimalMoney(amount, "up"),
        orderCap: formatDecimalMoney(cap),
      },
    );
  }
}

/** There are fewer codes left than were ordered. */
export class OutOfStockError extends DomainError {
  readonly code = "out_of_stock";

  constructor(productId: string, qty: number) {
    super(
      "There are not enough codes for this quantity now. Check availability again later; the same externalOrderId may be used.",
      { productId, qty },
    );
  }
}

/** The key has spent its daily cap, or would with this order. */
export class KeyDailyLimitExceededError extends DomainError {
  readonly code = "key_daily_limit_exceeded";

  constructor(cap: Microcents) {
    super(
      "This order would pass what the key may spend on one UTC day. Retry after UTC midnight or have the cap raised.",
      {
        dailyCap: formatDecimalMoney(cap),
      },
    );
  }
}

/** Another attempt at the same order is under way. */
export class OrderInProgressError extends DomainError {
  readonly code = "order_in_progress";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds = 1) {
    super("Another attempt at this order is under way. Wait, then retry with the same externalOrderId.", {
      retryAfterSeconds,
    });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether the order took effect cannot be told at this moment; a retry will tell. */
export class OrderCommitPendingError extends DomainError {
  readonly code = "order_commit_pending";

  constructor() {
    super("The result of this order is being finalized. Retry with the same externalOrderId.");
  }
}
