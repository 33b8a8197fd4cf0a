import type { ERROR_STATUSES } from "../../../generated/proxy/errors.ts";
import type { components } from "../../../generated/proxy/types.ts";
import { type DomainError, type ErrorFacts, ServiceUnavailableError } from "../../errors.ts";
import { BusyError } from "../../http/errors.ts";
import { type ErrorAnswer, errorAnswers, type RequestFault, type ToErrorAnswer } from "../../http/fault.ts";
import { InsufficientBalanceError } from "../../ledger/errors.ts";
import {
  ThreadNotOfferedError,
  TooManyCallsError,
  UpstreamMisconfiguredError,
  UpstreamRefusedError,
  UpstreamUnavailableError,
} from "../../messages/errors.ts";
import { InsufficientScopeError, RateLimitedError } from "../admission-errors.ts";
import { wordsOf } from "./fault-words.ts";

type ApiError = components["schemas"]["ApiError"];
type ErrorType = components["schemas"]["ErrorType"];

/** A status and a type that the document knows together, or what is said of a path that it does not know. */
type KnownError =
  | { [Type in ErrorType]: [status: (typeof ERROR_STATUSES)[Type][number], type: Type] }[ErrorType]
  | [status: 404, type: "not_found_error"];

/** How the proxy answers the errors of the domain, by their codes. */
const ANSWERS = {
  invalid_input: [400, "invalid_request_error"],
  bad_request: [400, "invalid_request_error"],
  unknown_model: [400, "invalid_request_error"],
  unauthorized: [401, "authentication_error"],
  insufficient_scope: [401, "authentication_error"],
  insufficient_balance: [402, "billing_error"],
  not_found: [404, "not_found_error"],
  rate_limited: [429, "rate_limit_error"],
  too_many_calls: [429, "rate_limit_error"],
  too_many_bodies: [429, "rate_limit_error"],
  service_busy: [503, "api_error"],
  stopping: [503, "api_error"],
  database_unavailable: [503, "api_error"],
  deadline_passed: [503, "api_error"],
  contention: [503, "api_error"],
  commit_outcome_unknown: [503, "api_error"],
  upstream_misconfigured: [500, "api_error"],
  upstream_unavailable: [502, "api_error"],
} satisfies Record<string, KnownError>;

/** Types for faults of the HTTP request itself. */
const TYPE_OF_FAULT: Readonly<Record<RequestFault["status"], ErrorType>> = {
  400: "invalid_request_error",
  404: "not_found_error",
  405: "invalid_request_error",
  408: "timeout_error",
};

const SOON_SECONDS = "1";
/** The statuses of what passes, so that a repetition of the same request can help. */
const RETRIED: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 529]);

/** The AI proxy's answer to whatever went wrong. Vendor SDKs retry by themselves, and go by X-Should-Retry. */
export const toProxyErrorAnswer: ToErrorAnswer = (thrown, context) => {
  const answer = toErrorAnswer(thrown, context);
  const retry = {
    "X-Should-Retry": String(RETRIED.has(answer.status)),
    // Whatever a 503 is about, it says when to come back.
    ...(answer.status === 503 && { "Retry-After": SOON_SECONDS }),
  };
  return { ...answer, headers: { ...retry, ...answer.headers } };
};

const toErrorAnswer = errorAnswers({
  ofDomain(error) {
    if (error instanceof UpstreamRefusedError) return refusalAnswer(error);
    if (!isKnown(error.code)) return null;
    const [status, type] = ANSWERS[error.code];
    const notReached = error instanceof UpstreamUnavailableError && error.retryAfterSeconds !== null;
    return {
      status: notReached ? 503 : status,
      headers: headersOf(error),
      body: bodyOf(type, messageOf(error), error instanceof ThreadNotOfferedError ? error.facts : undefined),
    };
  },
  ofRequest: ({ status, message, places }) => bodyOf(TYPE_OF_FAULT[status], wordsOf(places) ?? message),
  ofUnexpected: (message) => bodyOf("api_error", message),
});

/** An event that tells a stream that has begun why it ends before its end; null: it just broke off. */
export function toErrorEvent(cause: DomainError | null): string {
  const body =
    cause !== null && isKnown(cause.code)
      ? bodyOf(ANSWERS[cause.code][1], cause.message)
      : bodyOf("api_error", "The answer broke off before its end.");
  return `event: error\ndata: ${JSON.stringify(body)}\n\n`;
}

/** What the upstream says of a request, in its own words and fields. */
function refusalAnswer(error: UpstreamRefusedError): Omit<ErrorAnswer, "unexpected"> {
  const { upstreamStatus: status, words, upstreamRequestId, shouldRetry } = error;
  const headers = headersOf(error);
  if (upstreamRequestId !== null) headers["Request-Id"] = upstreamRequestId;
  if (shouldRetry !== null) headers["X-Should-Retry"] = String(shouldRetry);
  return { status, headers, body: { type: "error", error: words } };
}

function headersOf(error: DomainError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (
    error instanceof RateLimitedError ||
    error instanceof TooManyCallsError ||
    error instanceof BusyError ||
    error instanceof ServiceUnavailableError ||
    error instanceof UpstreamRefusedError ||
    error instanceof UpstreamUnavailableError
  ) {
    if (error.retryAfterSeconds !== null) headers["Retry-After"] = String(error.retryAfterSeconds);
  }
  if (error instanceof InsufficientBalanceError && error.isCoveredLater) headers["X-Should-Retry"] = "true";
  // The one would ask for the whole work once more; of the other nothing comes until the operator has looked into it.
  const isOver = error instanceof UpstreamUnavailableError && error.workDone;
  if (isOver || error instanceof UpstreamMisconfiguredError) headers["X-Should-Retry"] = "false";
  return headers;
}

function messageOf(error: DomainError): string {
  if (error instanceof InsufficientScopeError) {
    return "This key may not use the AI proxy. Send one of kind ai_proxy or general.";
  }
  return error.message;
}

function isKnown(code: string): code is keyof typeof ANSWERS {
  return Object.hasOwn(ANSWERS, code);
}

function bodyOf(type: ErrorType, message: string, details?: ErrorFacts): ApiError {
  return { type: "error", error: { type, message, ...(details && { details }) } };
}
