import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from "cockatiel";
import { type ErrorCode, isDefiniteError, readErrorCode, retryAfterMsOf } from "./convert.ts";
import { AnswerTooLargeError, NotSentError } from "./send-request.ts";

/**
 * What came of sending one request.
 * - `answer`: 200, and what was asked for.
 * - `error`: another status; `errorCode` is null when it is not in the contract's words.
 * - `no-connection`: it was never sent, for certain.
 * - `left-alone`: it was not sent either, since the supplier has not answered for a while.
 * - `no-answer`: it may have arrived; whatever came back cannot be read.
 */
export type Reply<T> =
  | { readonly kind: "answer"; readonly value: T }
  | {
      readonly kind: "error";
      readonly status: number;
      readonly errorCode: ErrorCode | null;
      readonly retryAfterMs: number;
      readonly message: string;
    }
  | { readonly kind: "no-connection" | "left-alone" | "no-answer"; readonly message: string };

/** What a call of the generated client resolves to. */
export interface ClientResult {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Pick<Response, "status"> & { readonly headers: Pick<Headers, "get"> };
}

/** When a supplier that does not answer is left alone, and for how long. */
export interface BreakerSettings {
  readonly consecutiveFailures: number;
  readonly halfOpenAfterMs: number;
}

export type BreakerState = "closed" | "open" | "half-open";

/** Sends requests to one supplier, and stops for a while when it answers none. */
export interface Transport {
  /** Sends one request and reads its answer; `read` gives null for what cannot be read. Never throws. */
  send<T>(call: () => Promise<ClientResult>, read: (body: unknown) => T | null): Promise<Reply<T>>;
  breakerState(): BreakerState;
}

const LEFT_ALONE = { kind: "left-alone", message: "not asked: it has not answered for a while" } as const;

/** Whether the supplier has refused a request because there were too many. */
export function isRateLimited(reply: Reply<unknown>): reply is Extract<Reply<unknown>, { kind: "error" }> {
  return reply.kind === "error" && reply.status === 429;
}

/** @param onRateLimited told how long the supplier wants to be left alone whenever it has too many requests */
export function createTransport(
  { consecutiveFailures, halfOpenAfterMs }: BreakerSettings,
  onRateLimited: (retryAfterMs: number) => void = () => {},
): Transport {
  const breaker = circuitBreaker(
    handleWhenResult((attempt) => (attempt as { failed: boolean }).failed),
    { breaker: new ConsecutiveBreaker(consecutiveFailures), halfOpenAfter: halfOpenAfterMs },
  );
  let changes = 0;
  breaker.onStateChange(() => {
    changes += 1;
  });
  return {
    async send(call, read) {
      // While one request tries whether the supplier is back, the breaker would let the others wait for its answer.
      if (breaker.state === CircuitState.HalfOpen) return LEFT_ALONE;
      try {
        const { reply } = await breaker.execute(async () => {
          const changesBefore = changes;
          const reply = await attempt(call, read);
          if (isRateLimited(reply)) onRateLimited(reply.retryAfterMs);
          // What was sent before the breaker opened, and fails now, says nothing about a supplier that is back.
          return { reply, failed: isFailure(reply) && changes === changesBefore };
        });
        return reply;
      } catch (error) {
        if (error instanceof BrokenCircuitError) return LEFT_ALONE;
        throw error;
      }
    },
    breakerState() {
      if (breaker.state === CircuitState.Closed) return "closed";
      return breaker.state === CircuitState.HalfOpen ? "half-open" : "open";
    },
  };
}

async function attempt<T>(
  call: () => Promise<ClientResult>,
  read: (body: unknown) => T | null,
): Promise<Reply<T>> {
  try {
    const { data, error, response } = await call();
    const { status, headers } = response;
    if (status !== 200) return errorReply(status, error, headers.get("Retry-After"));
    const value = read(data);
    if (value !== null) return { kind: "answer", value };
    return { kind: "no-answer", message: "answered 200, and not with what was asked for" };
  } catch (error) {
    if (!(error instanceof NotSentError)) return { kind: "no-answer", message: wordsFor(error) };
    return { kind: "no-connection", message: `no connection: ${wordsFor(error.cause)}` };
  }
}

function errorReply(status: number, body: unknown, retryAfter: string | null): Reply<never> {
  const errorCode = readErrorCode(status, body);
  return {
    kind: "error",
    status,
    errorCode,
    retryAfterMs: retryAfterMsOf(body, retryAfter),
    message: `answered ${status} ${errorCode ?? "in words that are not the contract's"}`,
  };
}

// An error in the contract's own words comes from a supplier that is well enough to say so.
function isFailure(reply: Reply<unknown>): boolean {
  if (reply.kind === "error") return reply.status >= 500 && !isDefiniteError(reply.errorCode);
  return reply.kind !== "answer";
}

/** What broke, in our words or by the system's code: an error's own words may repeat what was sent or received. */
function wordsFor(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === "SyntaxError") return "the answer is no JSON";
  if (name === "AbortError") return "no answer in time";
  if (error instanceof AnswerTooLargeError) return "the answer is too large";
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : "the request failed";
}
