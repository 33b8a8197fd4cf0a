import type { DomainError } from "../../server/errors.ts";
import { UpstreamRefusedError, UpstreamUnavailableError } from "../../server/messages/errors.ts";

/** The answers to errors by their codes, as the reference has them. */
type Answers = Readonly<Record<string, string>>;

const ORDERING: Answers = {
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

/** With what X-Should-Retry says. */
const PROXY: Answers = {
  stopping: "503 api_error true",
  deadline_passed: "503 api_error true",
  database_unavailable: "503 api_error true",
  contention: "503 api_error true",
  commit_outcome_unknown: "503 api_error true",
  service_busy: "503 api_error true",
  invalid_input: "400 invalid_request_error false",
  bad_request: "400 invalid_request_error false",
  unknown_model: "400 invalid_request_error false",
  not_found: "404 not_found_error false",
  insufficient_balance: "402 billing_error false",
  too_many_bodies: "429 rate_limit_error true",
  too_many_calls: "429 rate_limit_error true",
  upstream_misconfigured: "500 api_error false",
};

/** The `details` of the ordering interface's errors, by their classes: no two values of one error are the same. */
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

/** Statuses of the upstream's refusals after which the same request may pass. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 429, 529]);

/**
 * How an interface has to answer an error: status, code or type, and X-Should-Retry where it sends that. null where nothing is
 * said of it, as of the errors of interfaces that are not listed.
 */
export function expectedAnswer(name: string, error: Error): string | null {
  if (name === "ordering") return ORDERING[codeOf(error)] ?? null;
  if (name !== "proxy") return null;
  if (error instanceof UpstreamRefusedError)
    return `${error.upstreamStatus} ${error.words.type} ${PASSING.has(error.upstreamStatus)}`;
  if (error instanceof UpstreamUnavailableError)
    return error.retryAfterSeconds === null ? `502 api_error ${!error.workDone}` : "503 api_error true";
  return PROXY[codeOf(error)] ?? null;
}

/** How many seconds an error asks to wait; null where it does not say. */
export function expectedRetryAfter(error: Error): number | null {
  const { retryAfterSeconds = null } = error as { retryAfterSeconds?: number | null };
  return retryAfterSeconds;
}

/** The `details` that an answer to an error may have, one of these; null where nothing is said of them. */
export function expectedDetails(name: string, error: Error): readonly object[] | null {
  return name === "ordering" ? (DETAILS[error.name] ?? null) : null;
}

function codeOf(error: Error): string {
  return (error as Partial<DomainError>).code ?? "";
}
