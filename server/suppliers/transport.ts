import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from "cockatiel";
import { isContractError, retryAfterMsOf } from "./convert.ts";

/** What came of sending one request: an HTTP answer, proof that it was never sent, or neither. */
export type Reply =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly body: unknown;
      readonly retryAfterMs: number;
    }
  | { readonly kind: "not-sent" | "no-answer"; readonly message: string };

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
  /** Never throws. */
  send(call: () => Promise<ClientResult>): Promise<Reply>;
  breakerState(): BreakerState;
}

// Connections that were refused before anything of the request could be sent.
const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

export function createTransport({ consecutiveFailures, halfOpenAfterMs }: BreakerSettings): Transport {
  const breaker = circuitBreaker(
    handleWhenResult((reply) => isFailure(reply as Reply)),
    { breaker: new ConsecutiveBreaker(consecutiveFailures), halfOpenAfter: halfOpenAfterMs },
  );
  return {
    async send(call) {
      try {
        return await breaker.execute(() => attempt(call));
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) throw error;
        return { kind: "not-sent", message: "not asked: it has not answered for a while" };
      }
    },
    breakerState() {
      if (breaker.state === CircuitState.Closed) return "closed";
      return breaker.state === CircuitState.HalfOpen ? "half-open" : "open";
    },
  };
}

async function attempt(call: () => Promise<ClientResult>): Promise<Reply> {
  try {
    const { data, error, response } = await call();
    const body = response.ok ? data : error;
    return {
      kind: "answer",
      status: response.status,
      body,
      retryAfterMs: retryAfterMsOf(body, response.headers.get("Retry-After")),
    };
  } catch (error) {
    return neverConnected(error)
      ? { kind: "not-sent", message: `no connection: ${messageOf(error)}` }
      : { kind: "no-answer", message: messageOf(error) };
  }
}

// An error in the contract's own words comes from a supplier that is well enough to say so.
function isFailure(reply: Reply): boolean {
  if (reply.kind !== "answer") return true;
  return reply.status >= 500 && !isContractError(reply.body);
}

function neverConnected(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } };
  const codes = cause?.errors?.map(({ code }) => code) ?? [cause?.code];
  return codes.length > 0 && codes.every((code) => code !== undefined && NEVER_CONNECTED.has(code));
}

// What is no JSON would show itself in the message, and with it codes.
function messageOf(error: unknown): string {
  if (error instanceof SyntaxError) return "the answer is no JSON";
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? (name === "AbortError" ? "no answer in time" : message);
}
