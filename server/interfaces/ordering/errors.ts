import { ERROR_STATUSES } from "../../../generated/ordering/errors.ts";
import type { components } from "../../../generated/ordering/types.ts";
import { type DomainError, ServiceUnavailableError } from "../../errors.ts";
import { BusyError } from "../../http/errors.ts";
import { errorAnswers, type RequestFault } from "../../http/fault.ts";
import { OrderInProgressError } from "../../orders/errors.ts";
import { RateLimitedError } from "../admission-errors.ts";

type ApiError = components["schemas"]["ApiError"];
type ErrorCode = components["schemas"]["ErrorCode"];

/** Codes for faults of the HTTP request itself. */
const CODE_OF_FAULT: Readonly<Record<RequestFault["status"], ErrorCode>> = {
  400: "invalid_input",
  404: "not_found",
  405: "bad_request",
  408: "bad_request",
};

/** What the service itself is to blame for, by the codes that tell callers what to do: to repeat the same. */
const CODE_OF_SERVICE_FAULT: Readonly<Record<string, ErrorCode>> = {
  stopping: "supplier_unavailable",
  database_unavailable: "supplier_unavailable",
  deadline_passed: "supplier_unavailable",
  contention: "supplier_unavailable",
  commit_outcome_unknown: "order_commit_pending",
  too_many_bodies: "rate_limited",
  service_busy: "rate_limited",
};

/** The ordering interface's answer to whatever went wrong. */
export const toOrderingErrorAnswer = errorAnswers({
  ofDomain(error) {
    const code = CODE_OF_SERVICE_FAULT[error.code] ?? error.code;
    if (!isErrorCode(code)) return null;
    return { status: ERROR_STATUSES[code], headers: retryAfter(error), body: bodyOf(code, error) };
  },
  ofRequest: ({ status, message }): ApiError => ({ error: CODE_OF_FAULT[status], message }),
  ofUnexpected: (message): ApiError => ({ error: "server_error", message }),
});

function bodyOf(error: ErrorCode, { message, facts }: DomainError): ApiError {
  return Object.keys(facts).length === 0 ? { error, message } : { error, message, details: facts };
}

function retryAfter(error: DomainError): Record<string, string> {
  if (
    error instanceof RateLimitedError ||
    error instanceof BusyError ||
    error instanceof OrderInProgressError ||
    error instanceof ServiceUnavailableError
  ) {
    return { "Retry-After": String(error.retryAfterSeconds) };
  }
  return {};
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUSES, code);
}
