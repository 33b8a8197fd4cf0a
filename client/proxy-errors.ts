import type { components } from "../generated/proxy/types.ts";
import { readRetryAfterMs } from "./ordering-errors.ts";

/** The types of the AI proxy's errors. */
export type ProxyErrorType = components["schemas"]["ErrorType"];

interface Told<Type> {
  /** The stable type to branch on, with the status. */
  readonly type: Type;
  readonly status: number;
  /** For people; its text can change at any time. */
  readonly message: string;
  /** How long the service asks to wait before the next attempt; null when it does not say. */
  readonly retryAfterMs: number | null;
  /** False where another attempt costs the work of the call again. */
  readonly shouldRetry: boolean;
}

/** Any answer of the AI proxy that is not what was asked for; `unreadable_answer` is not in the contract's words. */
export type ProxyError = { [Type in ProxyErrorType]: Told<Type> }[ProxyErrorType] | Told<"unreadable_answer">;

const ERROR_TYPES = {
  invalid_request_error: true,
  authentication_error: true,
  billing_error: true,
  not_found_error: true,
  rate_limit_error: true,
  api_error: true,
  overloaded_error: true,
} satisfies Readonly<Record<ProxyErrorType, true>>;

const PASSING_STATUSES = new Set([429, 500, 502, 503, 529]);

/** Reads an error's body. */
export function readProxyError(body: unknown, { status, headers }: Response): ProxyError {
  const retryAfterMs = readRetryAfterMs(null, headers.get("Retry-After"));
  const shouldRetry = PASSING_STATUSES.has(status) && headers.get("X-Should-Retry") !== "false";
  const told = readErrorBody(body);
  if (told !== null) return { ...told, status, retryAfterMs, shouldRetry };
  const message = `The service answered ${status}, and not in the contract's words.`;
  return { type: "unreadable_answer", status, message, retryAfterMs, shouldRetry };
}

/** What the body of an error, or the data of an `error` event, says; null for anything else. */
export function readErrorBody(body: unknown): { type: ProxyErrorType; message: string } | null {
  const told = (body as { error?: { type?: unknown; message?: unknown } } | null | undefined)?.error;
  if (typeof told?.message !== "string" || !isErrorType(told.type)) return null;
  return { type: told.type, message: told.message };
}

function isErrorType(type: unknown): type is ProxyErrorType {
  return typeof type === "string" && Object.hasOwn(ERROR_TYPES, type);
}
