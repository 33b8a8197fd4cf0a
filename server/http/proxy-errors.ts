import type { components } from "../../generated/proxy/types.ts";
import { DomainError } from "../errors.ts";
import { UpstreamUnavailableError } from "../messages/errors.ts";
import { InsufficientScopeError, RateLimitedError, UnauthorizedError } from "./errors.ts";
import { type ErrorAnswer, faultOf, UNFORESEEN_MESSAGE } from "./fault.ts";
import type { RequestContext } from "./request-context.ts";

type ApiError = components["schemas"]["Error"];
type ErrorType = components["schemas"]["ErrorType"];

/** How the proxy answers the errors of the domain, by their codes. */
const ANSWERS: Readonly<Record<string, readonly [status: number, type: ErrorType]>> = {
  invalid_input: [400, "invalid_request_error"],
  bad_request: [400, "invalid_request_error"],
  unknown_model: [400, "invalid_request_error"],
  unauthorized: [401, "authentication_error"],
  insufficient_scope: [401, "authentication_error"],
  insufficient_balance: [402, "billing_error"],
  not_found: [404, "not_found_error"],
  rate_limited: [429, "rate_limit_error"],
  upstream_misconfigured: [500, "api_error"],
  upstream_unavailable: [502, "api_error"],
};

/** Types for faults of the HTTP request itself. */
const TYPE_OF_FAULT: Readonly<Record<400 | 404 | 405, ErrorType>> = {
  400: "invalid_request_error",
  404: "not_found_error",
  405: "invalid_request_error",
};

/** The AI proxy's answer to whatever went wrong; what nobody foresaw is a 500 without any detail. */
export function toProxyErrorAnswer(thrown: unknown, context: RequestContext): ErrorAnswer {
  const fault = faultOf(thrown, context);
  if (fault instanceof DomainError && Object.hasOwn(ANSWERS, fault.code)) return answerOf(fault);
  if (fault === null || fault instanceof DomainError) {
    const body = bodyOf("api_error", UNFORESEEN_MESSAGE);
    return { status: 500, headers: {}, body, unforeseen: true };
  }
  const { status, headers, message } = fault;
  return { status, headers, body: bodyOf(TYPE_OF_FAULT[status], message), unforeseen: false };
}

function answerOf(error: DomainError): ErrorAnswer {
  const [usualStatus, type] = ANSWERS[error.code] ?? [500, "api_error"];
  const notReached = error instanceof UpstreamUnavailableError && error.retryAfterSeconds !== null;
  return {
    status: notReached ? 503 : usualStatus,
    headers: retryHeaders(error),
    body: bodyOf(type, messageOf(error)),
    unforeseen: false,
  };
}

function retryHeaders(error: DomainError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error instanceof RateLimitedError || error instanceof UpstreamUnavailableError) {
    if (error.retryAfterSeconds !== null) headers["Retry-After"] = String(error.retryAfterSeconds);
  }
  // Vendor SDKs retry by themselves; this keeps them from asking for the whole work once more.
  if (error instanceof UpstreamUnavailableError && error.workDone) headers["X-Should-Retry"] = "false";
  return headers;
}

function messageOf(error: DomainError): string {
  if (error instanceof UnauthorizedError) return "Send a valid API key: x-api-key: <API_KEY>.";
  if (error instanceof InsufficientScopeError) {
    return "This key may not use the AI proxy. Send one of kind general.";
  }
  return error.message;
}

function bodyOf(type: ErrorType, message: string): ApiError {
  return { type: "error", error: { type, message } };
}
