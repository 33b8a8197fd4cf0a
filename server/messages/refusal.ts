import type { IncomingHttpHeaders } from "node:http";
import {
  REFUSAL_STATUSES,
  type RefusalCode,
  type RefusalStatus,
  UpstreamMisconfiguredError,
  UpstreamRefusedError,
  UpstreamUnavailableError,
  type UpstreamWords,
} from "./errors.ts";
import { shopRefusalIn } from "./shop-refusal.ts";
import { upstreamRequestIdIn } from "./upstream-request-id.ts";

/** What is said where the upstream says nothing that can be read, or speaks of the shop's own limits. */
const OWN_WORDS: Readonly<Record<RefusalStatus, UpstreamWords>> = {
  400: { type: "invalid_request_error", message: "The upstream does not accept the request." },
  403: { type: "permission_error", message: "The upstream does not allow the request." },
  404: { type: "not_found_error", message: "The upstream does not have what the request names." },
  408: { type: "timeout_error", message: "The request took the upstream too long. Send it again." },
  409: { type: "conflict_error", message: "The request meets another one at the upstream. Send it again." },
  413: { type: "request_too_large", message: "The request is too large for the upstream." },
  429: {
    type: "rate_limit_error",
    message: "The upstream takes no more requests at the moment. Retry with exponential backoff.",
  },
  529: {
    type: "overloaded_error",
    message: "The upstream is overloaded. Retry with exponential backoff.",
  },
};
/** Types that come with a status beside the one above, all of which the contract names. */
const OTHER_TYPES: ReadonlySet<string> = new Set([
  "408 invalid_request_error",
  "409 invalid_request_error",
  "413 invalid_request_error",
]);
const CODES: Partial<Record<RefusalStatus, RefusalCode>> = {
  429: "upstream_rate_limited",
  529: "upstream_overloaded",
};
/** How long those wait whom the upstream does not tell. */
const RETRY_AFTER_SECONDS: Partial<Record<RefusalStatus, number>> = { 429: 5, 529: 2 };
const MAX_RETRY_AFTER_SECONDS = 86_400;
const MAX_MESSAGE_LENGTH = 2_000;
/** What is larger has more in it than any error; type and message are left of it. */
const MAX_WORDS_LENGTH = 16_384;
/** Limits that are reached are told with the name of the organization that has them: the shop. */
const SHOP_NAMED = /organi[sz]ation|workspace|\byour (?:\S+ )?account\b|\borg\b/i;

/**
 * What the caller is told of an answer that is not a 200. What the upstream says of the request is passed on with its
 * status, and so is that it is busy, without the shop's own limits; that it refuses us is not told; anything else is its
 * failure.
 */
export function refusalOf(
  status: number,
  headers: IncomingHttpHeaders,
  body: Buffer,
): UpstreamRefusedError | UpstreamMisconfiguredError | UpstreamUnavailableError {
  if (status !== 529 && (status < 400 || status >= 500))
    return new UpstreamUnavailableError("The upstream failed to answer the request.");
  const words = wordsIn(body);
  const told = REFUSAL_STATUSES.find((known) => known === status) ?? 400;
  const reason = words === null ? null : shopRefusalIn(words);
  const isOurs = status === 401 || status === 402 || (status === 403 && words?.type !== "permission_error");
  if (reason !== null || isOurs) {
    const usual = status === 401 ? "key" : status === 402 ? "credit" : "other";
    return new UpstreamMisconfiguredError(reason ?? usual, status);
  }
  return new UpstreamRefusedError(CODES[told] ?? "upstream_refused", {
    upstreamStatus: told,
    words: tellable(told, words),
    retryAfterSeconds: retryAfterSeconds(told, headers),
    shouldRetry: shouldRetryIn(headers),
    upstreamRequestId: upstreamRequestIdIn(headers),
  });
}

/** The same for an error that a stream begins with; its headers say nothing of when to retry. */
export function refusalOfStream(errorType: string, headers: IncomingHttpHeaders) {
  const { "retry-after": _, "x-should-retry": __, ...told } = headers;
  if (errorType === "rate_limit_error") return refusalOf(429, told, NO_BODY);
  if (errorType === "overloaded_error") return refusalOf(529, told, NO_BODY);
  return new UpstreamUnavailableError("The upstream failed to answer the request.");
}

const NO_BODY = Buffer.alloc(0);

/** The upstream's `error` object; null when the body is none of its own form. */
function wordsIn(body: Buffer): UpstreamWords | null {
  try {
    const { error } = JSON.parse(body.toString());
    const { type, message } = error;
    if (typeof type !== "string" || typeof message !== "string" || message === "") return null;
    const shown = message.slice(0, MAX_MESSAGE_LENGTH);
    const isWhole = JSON.stringify(error).length <= MAX_WORDS_LENGTH;
    return isWhole ? { ...error, message: shown } : { type, message: shown };
  } catch {
    return null;
  }
}

/** What the caller may read of it: all, but for the shop's limits, and with a type that the contract has for the status. */
function tellable(status: RefusalStatus, words: UpstreamWords | null): UpstreamWords {
  const own = OWN_WORDS[status];
  if (words === null) return own;
  const type = OTHER_TYPES.has(`${status} ${words.type}`) ? words.type : own.type;
  const isBusy = status === 429 || status === 529;
  const message = isBusy && SHOP_NAMED.test(words.message) ? own.message : words.message;
  return { ...words, type, message };
}

function retryAfterSeconds(status: RefusalStatus, headers: IncomingHttpHeaders): number | null {
  const given = headers["retry-after"] ?? "";
  const usual = RETRY_AFTER_SECONDS[status] ?? null;
  return /^\d{1,5}$/.test(given) ? Math.min(Math.max(1, Number(given)), MAX_RETRY_AFTER_SECONDS) : usual;
}

function shouldRetryIn(headers: IncomingHttpHeaders): boolean | null {
  const given = headers["x-should-retry"];
  return given === "true" ? true : given === "false" ? false : null;
}
