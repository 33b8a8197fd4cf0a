import type { IncomingHttpHeaders } from "node:http";
import {
  type RefusalCode,
  UpstreamMisconfiguredError,
  UpstreamRefusedError,
  UpstreamUnavailableError,
} from "./errors.ts";
import { upstreamRequestIdIn } from "./upstream-request-id.ts";

const BUSY = {
  429: {
    code: "upstream_rate_limited",
    message: "The upstream takes no more requests at the moment. Retry with exponential backoff.",
    retryAfterSeconds: 5,
  },
  529: {
    code: "upstream_overloaded",
    message: "The upstream is overloaded. Retry with exponential backoff.",
    retryAfterSeconds: 2,
  },
} as const satisfies Record<number, { code: RefusalCode; message: string; retryAfterSeconds: number }>;
const MAX_RETRY_AFTER_SECONDS = 86_400;
const MAX_MESSAGE_LENGTH = 2_000;
/** The upstream's words for an empty account: ours, of which callers know nothing. */
const OUR_CREDIT = /credit balance/i;

/**
 * What the caller is told of an answer that is not a 200: 4xx are faults of the request, in the upstream's words; 429 and
 * 529 are passed on; that the upstream refuses us is not told; anything else is its failure.
 */
export function refusalOf(
  status: number,
  headers: IncomingHttpHeaders,
  body: Buffer,
): UpstreamRefusedError | UpstreamMisconfiguredError | UpstreamUnavailableError {
  const upstreamRequestId = upstreamRequestIdIn(headers);
  if (status === 429 || status === 529) {
    const { code, message, retryAfterSeconds: usual } = BUSY[status];
    const given = headers["retry-after"] ?? "";
    const retryAfterSeconds = /^\d{1,5}$/.test(given)
      ? Math.min(Math.max(1, Number(given)), MAX_RETRY_AFTER_SECONDS)
      : usual;
    return new UpstreamRefusedError(code, message, { retryAfterSeconds, upstreamRequestId });
  }
  const message = messageOf(body);
  if (status === 401 || status === 402 || status === 403 || (status === 400 && OUR_CREDIT.test(message))) {
    return new UpstreamMisconfiguredError();
  }
  if (status < 400 || status >= 500)
    return new UpstreamUnavailableError("The upstream failed to answer the request.");
  return new UpstreamRefusedError("upstream_refused", message, { upstreamRequestId });
}

/** The same for an error that a stream begins with; its headers say nothing of when to retry. */
export function refusalOfStream(errorType: string, headers: IncomingHttpHeaders) {
  const told = { ...headers, "retry-after": undefined };
  if (errorType === "rate_limit_error") return refusalOf(429, told, NO_BODY);
  if (errorType === "overloaded_error") return refusalOf(529, told, NO_BODY);
  return new UpstreamUnavailableError("The upstream failed to answer the request.");
}

const NO_BODY = Buffer.alloc(0);

function messageOf(body: Buffer): string {
  try {
    const { message } = JSON.parse(body.toString()).error;
    if (typeof message === "string" && message !== "") return message.slice(0, MAX_MESSAGE_LENGTH);
  } catch {
    // Whatever it is, it is not in the upstream's own form.
  }
  return "The upstream does not accept the request.";
}
