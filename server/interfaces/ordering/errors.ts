import type { components } from "../../../generated/ordering/types.ts";
import type { DomainError } from "../../errors.ts";
import { errorAnswers } from "../../http/fault.ts";
import { OrderInProgressError } from "../../orders/errors.ts";
import { RateLimitedError } from "../admission-errors.ts";

type ApiError = components["schemas"]["Error"];
type ErrorCode = components["schemas"]["ErrorCode"];

const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_input: 400,
  bad_request: 400,
  unauthorized: 401,
  insufficient_balance: 402,
  key_daily_limit_exceeded: 402,
  insufficient_scope: 403,
  key_order_limit_exceeded: 403,
  not_found: 404,
  price_changed: 409,
  idempotency_conflict: 409,
  out_of_stock: 409,
  supplier_price_changed: 409,
  rate_limited: 429,
  server_error: 500,
  supplier_unavailable: 503,
  supplier_not_configured: 503,
  order_in_progress: 503,
  order_commit_pending: 503,
};

/** Codes for faults of the HTTP request itself. */
const CODE_OF_FAULT: Readonly<Record<400 | 404 | 405, ErrorCode>> = {
  400: "invalid_input",
  404: "not_found",
  405: "bad_request",
};

/** The ordering interface's answer to whatever went wrong. */
export const toOrderingErrorAnswer = errorAnswers({
  ofDomain(error) {
    const { code } = error;
    if (!isErrorCode(code)) return null;
    return { status: STATUS[code], headers: retryAfter(error), body: bodyOf(code, error) };
  },
  ofRequest: ({ status, message }): ApiError => ({ error: CODE_OF_FAULT[status], message }),
  ofUnforeseen: (message): ApiError => ({ error: "server_error", message }),
});

function bodyOf(error: ErrorCode, { message, facts }: DomainError): ApiError {
  return Object.keys(facts).length === 0 ? { error, message } : { error, message, details: facts };
}

function retryAfter(error: DomainError): Record<string, string> {
  if (error instanceof RateLimitedError || error instanceof OrderInProgressError) {
    return { "Retry-After": String(error.retryAfterSeconds) };
  }
  return {};
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(STATUS, code);
}
