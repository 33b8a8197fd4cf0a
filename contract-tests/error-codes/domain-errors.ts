import { type DomainError, InvalidInputError, NotFoundError } from "../../server/errors.ts";
import { BadRequestError } from "../../server/http/errors.ts";
import type { OrderId } from "../../server/ids.ts";
import { InsufficientBalanceError } from "../../server/ledger/errors.ts";
import {
  UnknownModelError,
  UpstreamMisconfiguredError,
  UpstreamRefusedError,
  UpstreamUnavailableError,
} from "../../server/messages/errors.ts";
import { microcents } from "../../server/money/microcents.ts";
import {
  IdempotencyConflictError,
  KeyDailyLimitExceededError,
  KeyOrderLimitExceededError,
  OrderCommitPendingError,
  OrderInProgressError,
  OutOfStockError,
  PriceChangedError,
} from "../../server/orders/errors.ts";
import type { Order } from "../../server/orders/order.ts";
import {
  SupplierNotConfiguredError,
  SupplierPriceChangedError,
  SupplierUnavailableError,
} from "../../server/suppliers/errors.ts";

const AMOUNT = microcents(100_000_000n);
const CLOSED: Partial<Order> = {
  orderId: "ord_1" as OrderId,
  productId: "pen",
  qty: 2,
  status: "failed",
  errorCode: null,
};

/** One of every error that use cases throw at callers; of an error that is answered in several ways, one for each. */
export const DOMAIN_ERRORS: readonly DomainError[] = [
  new NotFoundError("order", "ord_1"),
  new InvalidInputError("The cursor is not one of this account."),
  new BadRequestError("The body is no JSON."),
  InsufficientBalanceError.ofOrder(AMOUNT),
  new UnknownModelError("none"),
  new UpstreamMisconfiguredError(),
  new UpstreamUnavailableError("It was not reached.", { retryAfterSeconds: 2 }),
  new UpstreamUnavailableError("It failed.", { workDone: true }),
  new UpstreamRefusedError("upstream_refused", "It says no."),
  new UpstreamRefusedError("upstream_rate_limited", "Later.", { retryAfterSeconds: 3 }),
  new UpstreamRefusedError("upstream_overloaded", "Later.", { retryAfterSeconds: 4 }),
  IdempotencyConflictError.otherOrder(CLOSED as Order),
  IdempotencyConflictError.closed(CLOSED as Order),
  new PriceChangedError("2.00", AMOUNT),
  new KeyOrderLimitExceededError(AMOUNT, AMOUNT),
  new KeyDailyLimitExceededError(AMOUNT),
  new OutOfStockError("pen", 2),
  new OrderInProgressError(),
  new OrderCommitPendingError(),
  new SupplierUnavailableError(),
  new SupplierNotConfiguredError(),
  new SupplierPriceChangedError(),
];

/** Errors that only operators meet, and those that admission throws by itself. */
export const NOT_THROWN_AT_CALLERS: ReadonlySet<string> = new Set([
  "ConflictError",
  "ImportInterruptedError",
  "ImportRunningError",
  "InsufficientScopeError",
  "RateLimitedError",
  "UnauthorizedError",
  "WrongEncryptionKeysError",
]);
