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
  ThreadNotOfferedError,
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
const CAP = microcents(300_000_000n);
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

/** An error that callers meet. */
export interface MetError {
  readonly thrown: DomainError;
  /** The operations whose callers meet it, such as `ordering createOrder`; null: those of all operations. */
  readonly by: readonly string[] | null;
}

const READ_PRODUCTS = ["ordering listProducts", "ordering checkAvailability"];
const BUY = ["ordering createOrder"];
const CALL = ["proxy createMessage"];
const PASS_ON = [...CALL, "proxy countTokens"];
const HAVE_BODIES = [...BUY, ...PASS_ON];
const PAGED = ["ordering listOrders", "proxy listModels", "proxy listUsage", "proxy listLedger"];

/**
 * One of every error that use cases throw at callers, and of an error that is answered in several ways one for each, by the
 * operations that may end with it. An operation documents the answers to these, and no others.
 */
export const DOMAIN_ERRORS: readonly MetError[] = [
  ...by(null, [
    new StoppingError(),
    new DeadlinePassedError(),
    new DatabaseUnavailableError(new Error("The connection is gone.")),
    new ContentionError(new Error("Others were in the way.")),
  ]),
  ...by(["ordering checkAvailability", "ordering getOrder", ...BUY], [new NotFoundError("order", "ord_1")]),
  ...by(["proxy getModel"], [new NotFoundError("model", "none")]),
  // Paths that nobody documents belong to no operation.
  ...by([], [new UnknownPathError("/nothing", ["/shop/v1"])]),
  ...by(
    ["ordering checkAvailability", ...PAGED, ...HAVE_BODIES],
    [new InvalidInputError("The cursor is not one of this account.")],
  ),
  ...by(HAVE_BODIES, [
    new BadRequestError("The body is no JSON."),
    new BusyError("account"),
    new BusyError("service"),
    InsufficientBalanceError.ofOrder(AMOUNT),
  ]),
  ...by([...BUY, ...CALL], [new CommitOutcomeUnknownError(new Error("The connection is gone."))]),
  ...by(CALL, [new TooManyCallsError(64)]),
  ...by(PASS_ON, [
    new UnknownModelError("none"),
    new ThreadNotOfferedError("thread: Not offered by this shop."),
    new UpstreamMisconfiguredError("key", 401),
    new UpstreamUnavailableError("It was not reached.", { retryAfterSeconds: 2 }),
    new UpstreamUnavailableError("It failed.", { workDone: true }),
    ...REFUSAL_STATUSES.flatMap((status) => WORDS.map((words) => refusalOf(status, {}, words))),
  ]),
  ...by([...READ_PRODUCTS, ...BUY], [new SupplierUnavailableError(), new SupplierNotConfiguredError()]),
  ...by(BUY, [
    IdempotencyConflictError.otherOrder(CLOSED as Order),
    IdempotencyConflictError.closed(CLOSED as Order),
    new PriceChangedError("2.00", AMOUNT),
    new KeyOrderLimitExceededError(AMOUNT, CAP),
    new KeyDailyLimitExceededError(CAP),
    new OutOfStockError("pen", 2),
    new OrderInProgressError(),
    new OrderCommitPendingError(),
    new SupplierPriceChangedError(),
  ]),
];

function by(operations: MetError["by"], errors: readonly DomainError[]): MetError[] {
  return errors.map((thrown) => ({ thrown, by: operations }));
}

/** Errors that only operators meet, those that admission throws by itself, and what breaks off a stream that has begun. */
export const NOT_THROWN_AT_CALLERS: ReadonlySet<string> = new Set([
  "ConflictError",
  "ImportInterruptedError",
  "ImportRunningError",
  "InsufficientScopeError",
  "InvalidKeyFieldError",
  "KeyEndedError",
  "KeyExistsError",
  "KeyUnusableError",
  "ProcessesWithOtherKeysError",
  "RateLimitedError",
  "UnauthorizedError",
  "WrongEncryptionKeysError",
]);
