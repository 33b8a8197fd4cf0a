import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { UpstreamMisconfiguredError, UpstreamUnavailableError } from "./errors.ts";

/** An upstream's answer that is not the one that was asked for, as it is told to the caller. */
export interface Refusal {
  readonly status: number;
  readonly type: "invalid_request_error" | "rate_limit_error" | "overloaded_error";
  readonly message: string;
  /** Set for those that may be repeated. */
  readonly retryAfterSeconds: number | null;
}

const RETRY_AFTER_SECONDS = { 429: 5, 529: 2 } as const;
const LONGEST_RETRY_AFTER_SECONDS = 86_400;
const LONGEST_MESSAGE = 2_000;
/** The upstream's words for an empty account: ours, of which callers know nothing. */
const OUR_CREDIT = /credit balance/i;

/**
 * What the caller is told of an answer that is not a 200: 4xx are faults of the request, in the upstream's words; 429 and
 * 529 are passed on.
 * @throws {UpstreamMisconfiguredError} the upstream refuses us. @throws {UpstreamUnavailableError} anything else.
 */
export function refusalOf(status: number, headers: IncomingHttpHeaders, body: Buffer): Refusal {
  if (status === 429 || status === 529) {
    const given = headers["retry-after"] ?? "";
    const retryAfterSeconds = /^\d{1,5}$/.test(given)
      ? Math.min(Math.max(1, Number(given)), LONGEST_RETRY_AFTER_SECONDS)
      : RETRY_AFTER_SECONDS[status];
    return { ...toldBusy(status), retryAfterSeconds };
  }
  const message = messageOf(body);
  if (status === 401 || status === 402 || status === 403 || (status === 400 && OUR_CREDIT.test(message))) {
    throw new UpstreamMisconfiguredError();
  }
  if (status < 400 || status >= 500)
    throw new UpstreamUnavailableError("The upstream failed to answer the request.");
  return { status: 400, type: "invalid_request_error", message, retryAfterSeconds: null };
}

/** The same for an error that a stream begins with. */
export function refusalOfStream(errorType: string): Refusal {
  if (errorType === "rate_limit_error") return refusalOf(429, {}, NO_BODY);
  if (errorType === "overloaded_error") return refusalOf(529, {}, NO_BODY);
  throw new UpstreamUnavailableError("The upstream failed to answer the request.");
}

/** Answers with a refusal. */
export function writeRefusal(
  response: ServerResponse,
  { status, type, message, retryAfterSeconds }: Refusal,
): void {
  const body = JSON.stringify({ type: "error", error: { type, message } });
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    ...(retryAfterSeconds === null ? {} : { "Retry-After": String(retryAfterSeconds) }),
  });
  response.end(body);
}

const NO_BODY = Buffer.alloc(0);

function toldBusy(status: 429 | 529): Pick<Refusal, "status" | "type" | "message"> {
  if (status === 529) {
    const message = "The upstream is overloaded. Retry with exponential backoff.";
    return { status, type: "overloaded_error", message };
  }
  const message = "The upstream takes no more requests at the moment. Retry with exponential backoff.";
  return { status, type: "rate_limit_error", message };
}

function messageOf(body: Buffer): string {
  try {
    const { message } = JSON.parse(body.toString()).error;
    if (typeof message === "string" && message !== "") return message.slice(0, LONGEST_MESSAGE);
  } catch {
    // Whatever it is, it is not in the upstream's own form.
  }
  return "The upstream does not accept the request.";
}
