import type { ServerResponse } from "node:http";
import { ERROR_STATUSES } from "../../../generated/ordering/errors.ts";
import type { components } from "../../../generated/ordering/types.ts";
import {
  add,
  formatDecimalMoney,
  MICROCENTS_PER_USD,
  microcents,
  parseDecimalMoney,
} from "../../money/microcents.ts";

export type ApiError = components["schemas"]["ApiError"];
export type ErrorCode = components["schemas"]["ErrorCode"];

/** A whole HTTP answer before it is sent; header names are written as they are sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer;
}

/** What is said of every error code of the contract. */
const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  invalid_input: "A value of the request is invalid.",
  bad_request: "The body is not a JSON object.",
  unauthorized: "The API key is missing, invalid or revoked.",
  insufficient_balance: "The available balance does not cover the order.",
  key_daily_limit_exceeded: "The order would pass the daily spend cap of this key.",
  insufficient_scope: "The API key lacks the scope that this operation needs.",
  key_order_limit_exceeded: "The amount is above the single-order cap of this key.",
  not_found: "There is no such product or order.",
  price_changed: "The unit price has changed.",
  idempotency_conflict: "This externalOrderId stands for another purchase or for one that is closed.",
  out_of_stock: "The quantity cannot be fulfilled now.",
  supplier_price_changed: "The product is being priced anew.",
  rate_limited: "Too many requests; slow down.",
  server_error: "An unexpected error occurred.",
  supplier_unavailable: "The supplier of this product does not answer at the moment.",
  supplier_not_configured: "The supplier of this product is not configured.",
  order_in_progress: "Another request is processing this order.",
  order_commit_pending: "The result of this order is being finalized.",
};

/** Every error code of the contract. */
export const ERROR_CODES = Object.keys(ERROR_STATUSES) as [ErrorCode, ...ErrorCode[]];

/** What an error answer says beyond its code. */
export interface ErrorFacts {
  readonly message?: string | undefined;
  readonly details?: unknown;
  /** For `rate_limited` and `order_in_progress`; 1 when not given. */
  readonly retryAfterSeconds?: number | undefined;
}

const JSON_HEADERS = { "Content-Type": "application/json" };

/** An answer with a JSON body. */
export function jsonAnswer(status: number, body: unknown): Answer {
  return { status, headers: JSON_HEADERS, body: JSON.stringify(body) };
}

/** The contract's answer to an error code, with its status, its Retry-After and the details that it must have. */
export function errorAnswer(code: ErrorCode, facts: ErrorFacts = {}): Answer {
  const { retryAfterSeconds = 1 } = facts;
  const details = facts.details ?? (code === "order_in_progress" ? { retryAfterSeconds } : undefined);
  const body: ApiError = { error: code, message: facts.message ?? MESSAGES[code] };
  const answer = jsonAnswer(ERROR_STATUSES[code], details === undefined ? body : { ...body, details });
  if (code !== "rate_limited" && code !== "order_in_progress") return answer;
  return { ...answer, headers: { ...answer.headers, "Retry-After": String(retryAfterSeconds) } };
}

/** The details of a `price_changed` that is made up: a price one cent above the expected one. */
export function madeUpPrices(expectedUnitPrice = "1.00"): {
  expectedUnitPrice: string;
  actualUnitPrice: string;
} {
  const expected = parseDecimalMoney(expectedUnitPrice) ?? microcents(MICROCENTS_PER_USD);
  return {
    expectedUnitPrice,
    actualUnitPrice: formatDecimalMoney(add(expected, microcents(MICROCENTS_PER_USD / 100n))),
  };
}

/** Sends an answer, unless the client has gone. */
export function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (!isConnected(response)) return;
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}

/** Sends the head and half of the body, then cuts the connection. */
export function sendHalf(response: ServerResponse, { status, headers, body }: Answer): void {
  if (!isConnected(response)) return;
  const bytes = Buffer.from(body as string);
  response.writeHead(status, { ...headers, "Content-Length": bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => cut(response));
}

/** Cuts the connection without a word. */
export function cut(response: ServerResponse): void {
  response.socket?.destroy();
}

function isConnected({ socket, writableEnded }: ServerResponse): boolean {
  return socket !== null && !socket.destroyed && !writableEnded;
}
