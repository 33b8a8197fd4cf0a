import { ERROR_STATUSES } from "../generated/proxy/errors.ts";
import type { components } from "../generated/proxy/types.ts";
import { readRetryAfterMs } from "./ordering-errors.ts";

/** The types of the AI proxy's errors. */
export type ProxyErrorType = components["schemas"]["ErrorType"];

type ErrorDetails = components["schemas"]["ErrorDetails"];

interface Told<Type> {
  /** The stable type to branch on, with the status. */
  readonly type: Type;
  readonly status: number;
  /** For people; its text can change at any time. */
  readonly message: string;
  /** What the upstream adds for programs, such as a stable `error_code`; missing where it adds nothing. */
  readonly details?: ErrorDetails;
  /** How long the service asks to wait before the next attempt; null when it does not say. */
  readonly retryAfterMs: number | null;
  /** Whether another attempt can help; false also where it costs the work of the call again. */
  readonly shouldRetry: boolean;
}

/** Any answer of the AI proxy that is not what was asked for; `unreadable_answer` is not in the contract's words. */
export type ProxyError = { [Type in ProxyErrorType]: Told<Type> }[ProxyErrorType] | Told<"unreadable_answer">;

/** The errors that pass, so that the call may be sent again. */
export const PASSING_TYPES = [
  "rate_limit_error",
  "api_error",
  "overloaded_error",
  "timeout_error",
  "conflict_error",
] as const satisfies ProxyErrorType[];

const PASSING_STATUSES: ReadonlySet<number> = new Set(PASSING_TYPES.flatMap((type) => ERROR_STATUSES[type]));

/** Reads an error's body. */
export function readProxyError(body: unknown, { status, headers }: Response): ProxyError {
  const retryAfterMs = readRetryAfterMs(null, headers.get("Retry-After"));
  const said = headers.get("X-Should-Retry");
  const shouldRetry = said === null ? PASSING_STATUSES.has(status) : said === "true";
  const told = readErrorBody(body);
  if (told !== null) return { ...told, status, retryAfterMs, shouldRetry };
  const message = `The service answered ${status}, and not in the contract's words.`;
  return { type: "unreadable_answer", status, message, retryAfterMs, shouldRetry };
}

/** What the body of an error, or the data of an `error` event, says; null for anything else. */
export function readErrorBody(
  body: unknown,
): Pick<Told<ProxyErrorType>, "type" | "message" | "details"> | null {
  const told = (body as { error?: Record<string, unknown> } | null | undefined)?.error;
  if (typeof told?.message !== "string" || !isErrorType(told.type)) return null;
  const { type, message, details } = told;
  return { type, message, ...(typeof details === "object" && { details: details as ErrorDetails }) };
}

function isErrorType(type: unknown): type is ProxyErrorType {
  return typeof type === "string" && Object.hasOwn(ERROR_STATUSES, type);
}
