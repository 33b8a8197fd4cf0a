import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from "cockatiel";
import { isWellSaid, readErrorCode, retryAfterMsOf } from "./convert.ts";

/**
 * What came of sending one request.
 * - `answer`: 200, and what was asked for.
 * - `error`: another status; `errorCode` is null when the body is not in the contract's shape.
 * - `no-connection`: it was never sent, for certain.
 * - `left-alone`: it was not sent either, since the supplier has not answered for a while.
 * - `no-answer`: it may have arrived; whatever came back cannot be read.
 */
export type Reply<T> =
  | { readonly kind: "answer"; readonly value: T }
  | {
      readonly kind: "error";
      readonly status: number;
      readonly errorCode: string | null;
      readonly retryAfterMs: number;
      readonly message: string;
    }
  | { readonly kind: "no-connection" | "left-alone" | "no-answer"; readonly message: string };

/** What a call of the generated client resolves to. */
export interface ClientResult {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
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

// What can only happen before anything of the request is sent.
const CONNECTING = new Set(["connect", "getaddrinfo"]);
const NEVER_CONNECTED = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

export function createTransport({ consecutiveFailures, halfOpenAfterMs }: BreakerSettings): Transport {
  const breaker = circuitBreaker(
    handleWhenResult((reply) => isFailure(reply as Reply<unknown>)),
    { breaker: new ConsecutiveBreaker(consecutiveFailures), halfOpenAfter: halfOpenAfterMs },
  );
  return {
    async send(call, read) {
      // While one request tries whether the supplier is back, the breaker would let the others wait for its answer.
      if (breaker.state === CircuitState.HalfOpen) return LEFT_ALONE;
      try {
        return await breaker.execute(() => attempt(call, read));
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
    if (!hasNeverConnected(error)) return { kind: "no-answer", message: messageOf(error) };
    return { kind: "no-connection", message: `no connection: ${messageOf(error)}` };
  }
}

function errorReply(status: number, body: unknown, retryAfter: string | null): Reply<never> {
  const errorCode = readErrorCode(body);
  return {
    kind: "error",
    status,
    errorCode,
    retryAfterMs: retryAfterMsOf(body, retryAfter),
    message: `answered ${status} ${errorCode ?? "in a shape that cannot be read"}`,
  };
}

// An error in the contract's own words comes from a supplier that is well enough to say so.
function isFailure(reply: Reply<unknown>): boolean {
  if (reply.kind === "error") return reply.status >= 500 && !isWellSaid(reply.status, reply.errorCode);
  return reply.kind !== "answer";
}

function hasNeverConnected(error: unknown): boolean {
  const { cause } = error as { cause?: SystemError & { errors?: readonly SystemError[] } };
  // There is one for every address that was tried.
  const causes = cause?.errors?.length ? cause.errors : [cause ?? {}];
  return causes.every(({ code = "", syscall = "" }) => CONNECTING.has(syscall) || NEVER_CONNECTED.has(code));
}

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  readonly message?: string;
}

// What is no JSON would show itself in the message, and with it codes.
function messageOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: SystemError };
  if (name === "SyntaxError") return "the answer is no JSON";
  if (name === "AbortError") return "no answer in time";
  return cause?.code ?? cause?.message ?? message;
}
