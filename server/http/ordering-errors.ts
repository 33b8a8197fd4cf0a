import type { components } from "../../generated/ordering/types.ts";
import { DomainError } from "../errors.ts";
import { OrderInProgressError } from "../orders/errors.ts";
import { BadRequestError, RateLimitedError, UnauthorizedError } from "./errors.ts";
import type { RequestContext } from "./request-context.ts";

type ApiError = components["schemas"]["Error"];
type ErrorCode = components["schemas"]["ErrorCode"];

/** How an error is answered. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ApiError;
}

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

/** Codes for faults of the HTTP request itself, which the validator reports by status alone. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: "invalid_input",
  404: "not_found",
  405: "bad_request",
  413: "bad_request",
  415: "bad_request",
};

/** The answer to whatever went wrong; what nobody foresaw is a 500 without any detail. */
export function toErrorAnswer(thrown: unknown, context: RequestContext): ErrorAnswer {
  const error = causeOf(thrown, context);
  if (error instanceof DomainError) {
    const { code } = error;
    if (!isErrorCode(code)) return serverError();
    return { status: STATUS[code], headers: retryAfter(error), body: bodyOf(code, error) };
  }
  const { status, message, headers } = error as {
    status?: number;
    message?: string;
    headers?: Record<string, string>;
  };
  const code = status === undefined ? undefined : CODE_OF_STATUS[status];
  if (status === undefined || code === undefined) return serverError();
  return {
    status: status === 413 || status === 415 ? 400 : status,
    headers: headers ?? {},
    body: { error: code, message: describe(status, message) },
  };
}

// The validator reports a refusal of the security handler as 401 whatever it was, and an unreadable body as one that
// does not match; the context knows better.
function causeOf(thrown: unknown, context: RequestContext): unknown {
  const { status } = thrown as { status?: number };
  if (context.refusal !== undefined) return context.refusal;
  if (status === 401) return new UnauthorizedError();
  if (context.bodyFault !== undefined && (status === 400 || status === 415))
    return new BadRequestError(context.bodyFault);
  return thrown;
}

function bodyOf(error: ErrorCode, { message, facts }: DomainError): ApiError {
  return Object.keys(facts).length === 0 ? { error, message } : { error, message, details: facts };
}

function retryAfter(error: DomainError): Record<string, string> {
  if (error instanceof RateLimitedError || error instanceof OrderInProgressError) {
    return { "Retry-After": String(error.retryAfterSeconds) };
  }
  return {};
}

function describe(status: number, message: string | undefined): string {
  if (status === 404) return "There is nothing at this path.";
  if (status === 405) return "This path does not know this method; the Allow header lists those it knows.";
  return message ?? "The request is not valid.";
}

function serverError(): ErrorAnswer {
  const message = "Something unexpected went wrong. Retry; name the X-Request-Id when you ask for help.";
  return { status: 500, headers: {}, body: { error: "server_error", message } };
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(STATUS, code);
}
