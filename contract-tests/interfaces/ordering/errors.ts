import { InvalidInputError, NotFoundError } from "../../../server/errors.ts";
import type { OrderId } from "../../../server/ids.ts";
import { InsufficientBalanceError } from "../../../server/ledger/errors.ts";
import { microcents } from "../../../server/money/microcents.ts";
import {
  IdempotencyConflictError,
  KeyDailyLimitExceededError,
  KeyOrderLimitExceededError,
  OrderCommitPendingError,
  OrderInProgressError,
  OutOfStockError,
  PriceChangedError,
} from "../../../server/orders/errors.ts";
import type { Order } from "../../../server/orders/order.ts";
import {
  SupplierNotConfiguredError,
  SupplierPriceChangedError,
  SupplierUnavailableError,
} from "../../../server/suppliers/errors.ts";
import { OF_BODIES, OF_CHANGES, OF_PAGES } from "../../error-codes/domain-errors.ts";
import { codeOf, type InterfaceErrors, metBy } from "../../error-codes/interface-errors.ts";

const AMOUNT = microcents(100_000_000n);
const CAP = microcents(300_000_000n);
const CLOSED: Partial<Order> = {
  orderId: "ord_1" as OrderId,
  productId: "pen",
  qty: 2,
  status: "failed",
  errorCode: null,
};

const ANSWERS: Readonly<Record<string, string>> = {
  stopping: "503 supplier_unavailable",
  deadline_passed: "503 supplier_unavailable",
  database_unavailable: "503 supplier_unavailable",
  contention: "503 supplier_unavailable",
  commit_outcome_unknown: "503 order_commit_pending",
  invalid_input: "400 invalid_input",
  bad_request: "400 bad_request",
  too_many_bodies: "429 rate_limited",
  service_busy: "429 rate_limited",
  not_found: "404 not_found",
  insufficient_balance: "402 insufficient_balance",
  key_daily_limit_exceeded: "402 key_daily_limit_exceeded",
  key_order_limit_exceeded: "403 key_order_limit_exceeded",
  idempotency_conflict: "409 idempotency_conflict",
  price_changed: "409 price_changed",
  out_of_stock: "409 out_of_stock",
  supplier_price_changed: "409 supplier_price_changed",
  order_in_progress: "503 order_in_progress",
  order_commit_pending: "503 order_commit_pending",
  supplier_unavailable: "503 supplier_unavailable",
  supplier_not_configured: "503 supplier_not_configured",
};

/** By the errors' classes: no two values of one error are the same. */
const DETAILS: Readonly<Record<string, readonly object[]>> = {
  PriceChangedError: [{ expectedUnitPrice: "2.00", actualUnitPrice: "1.00" }],
  KeyOrderLimitExceededError: [{ amount: "1.00", orderCap: "3.00" }],
  KeyDailyLimitExceededError: [{ dailyCap: "3.00" }],
  InsufficientBalanceError: [{ amount: "1.00" }],
  OutOfStockError: [{ productId: "pen", qty: 2 }],
  OrderInProgressError: [{ retryAfterSeconds: 1 }],
  IdempotencyConflictError: [
    { orderId: "ord_1", productId: "pen", qty: 2 },
    { orderId: "ord_1", status: "failed", errorCode: null },
  ],
};

export default {
  met: [
    ...metBy(["checkAvailability", "getOrder", "createOrder"], [new NotFoundError("order", "ord_1")]),
    ...metBy(["checkAvailability", "createOrder"], [new InvalidInputError("The quantity is not one.")]),
    ...metBy(["listOrders"], OF_PAGES),
    ...metBy(
      ["listProducts", "checkAvailability", "createOrder"],
      [new SupplierUnavailableError(), new SupplierNotConfiguredError()],
    ),
    ...metBy(
      ["createOrder"],
      [
        ...OF_BODIES,
        ...OF_CHANGES,
        InsufficientBalanceError.ofOrder(AMOUNT),
        IdempotencyConflictError.otherOrder(CLOSED as Order),
        IdempotencyConflictError.closed(CLOSED as Order),
        new PriceChangedError("2.00", AMOUNT),
        new KeyOrderLimitExceededError(AMOUNT, CAP),
        new KeyDailyLimitExceededError(CAP),
        new OutOfStockError("pen", 2),
        new OrderInProgressError(),
        new OrderCommitPendingError(),
        new SupplierPriceChangedError(),
      ],
    ),
  ],
  answerTo: (error) => ANSWERS[codeOf(error)] ?? null,
  detailsOf: ({ name }) => DETAILS[name] ?? null,
} satisfies InterfaceErrors;
