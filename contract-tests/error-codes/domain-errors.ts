import {
  CommitOutcomeUnknownError,
  ContentionError,
  DatabaseUnavailableError,
} from "../../server/database/faults.ts";
import { type DomainError, InvalidInputError, NotFoundError } from "../../server/errors.ts";
import {
  BadRequestError,
  BusyError,
  DeadlinePassedError,
  StoppingError,
  UnknownPathError,
} from "../../server/http/errors.ts";
import type { OrderId } from "../../server/ids.ts";
import { InsufficientBalanceError } from "../../server/ledger/errors.ts";
import {
  REFUSAL_STATUSES,
  TooManyCallsError,
  UnknownModelError,
  UpstreamMisconfiguredError,
  UpstreamUnavailableError,
} from "../../server/messages/errors.ts";
import { refusalOf } from "../../server/messages/refusal.ts";
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

/** What an upstream says when it refuses: nothing, or an error of a type that may come with several statuses. */
const WORDS = [
  Buffer.alloc(0),
  ...["invalid_request_error", "permission_error"].map((type) =>
    Buffer.from(JSON.stringify({ type: "error", error: { type, message: "It says no." } })),
  ),
];

/** One of every error that use cases throw at callers; of an error that is answered in several ways, one for each. */
export const DOMAIN_ERRORS: readonly DomainError[] = [
  new NotFoundError("order", "ord_1"),
  new UnknownPathError("/nothing", ["/shop/v1"]),
  new InvalidInputError("The cursor is not one of this account."),
  new BadRequestError("The body is no JSON."),
  new BusyError("account"),
  new BusyError("service"),
  new StoppingError(),
  new DeadlinePassedError(),
  new DatabaseUnavailableError(new Error("The connection is gone.")),
  new ContentionError(new Error("Others were in the way.")),
  new CommitOutcomeUnknownError(new Error("The connection is gone.")),
  InsufficientBalanceError.ofOrder(AMOUNT),
  new UnknownModelError("none"),
  new UpstreamMisconfiguredError("key", 401),
  new TooManyCallsError(64),
  new UpstreamUnavailableError("It was not reached.", { retryAfterSeconds: 2 }),
  new UpstreamUnavailableError("It failed.", { workDone: true }),
  ...REFUSAL_STATUSES.flatMap((status) => WORDS.map((words) => refusalOf(status, {}, words))),
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

/** Errors that only operators meet, those that admission throws by itself, and what breaks off a stream that has begun. */
export const NOT_THROWN_AT_CALLERS: ReadonlySet<string> = new Set([
  "ConflictError",
  "ImportInterruptedError",
  "ImportRunningError",
  "InsufficientScopeError",
  "KeyUnusableError",
  "ProcessesWithOtherKeysError",
  "RateLimitedError",
  "UnauthorizedError",
  "WrongEncryptionKeysError",
]);
