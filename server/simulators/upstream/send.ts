import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Delays } from "../shared/delays.ts";
import type { VendorRefusal } from "./refusals.ts";
import type { SendingAnswer } from "./sent.ts";
import { merged } from "./told-usage.ts";
import { errorBody, printEvent, type StreamEvent } from "./wire.ts";

/** A request that is being answered. */
export interface Exchange {
  readonly response: ServerResponse;
  readonly sent: SendingAnswer;
  readonly delays: Delays;
}

/** Sends the head of an answer. */
export function sendHead(
  { response, sent }: Exchange,
  status: number,
  headers: Record<string, string>,
): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...vendorHeaders(sent.requestId), ...headers });
  sent.status = status;
}

/** Sends a whole body. */
export function sendBody(
  exchange: Exchange,
  status: number,
  body: string,
  contentType = "application/json",
): void {
  sendHead(exchange, status, {
    "Content-Type": contentType,
    "Content-Length": String(Buffer.byteLength(body)),
  });
  exchange.response.end(body);
}

/** Sends an error of the vendor's. */
export function sendError(
  exchange: Exchange,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  const body = JSON.stringify(errorBody(status, message, exchange.sent.requestId));
  sendHead(exchange, status, {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    ...headers,
  });
  exchange.response.end(body);
}

/** Sends an error as it is worded there. */
export function sendVendorRefusal(exchange: Exchange, { status, ...error }: VendorRefusal): void {
  const body = { type: "error", error: { ...error }, request_id: exchange.sent.requestId };
  sendBody(exchange, status, JSON.stringify(body));
}

/** How a stream is sent. */
export interface StreamPacing {
  /** Between pieces of content; null: none. 0 lets each have a packet of its own. */
  readonly pauseMs: number | null;
  /** The connection is cut after so many events; null: it is not. */
  readonly cutAfter: number | null;
}

/** Sends events, each as a chunk of its own and no faster than they are taken, as long as the client is connected. */
export async function sendEvents(
  exchange: Exchange,
  events: Iterable<StreamEvent>,
  { pauseMs, cutAfter }: StreamPacing,
): Promise<void> {
  const { response, sent, delays } = exchange;
  for (const event of events) {
    if (response.destroyed) return;
    if (sent.events === cutAfter) return cut(exchange);
    if (pauseMs !== null && event.contentBytes !== undefined) {
      await (pauseMs === 0 ? nextTurn() : delays.wait(pauseMs));
      if (response.destroyed) return;
    }
    const isTaken = response.write(printEvent(event));
    note(sent, event);
    if (!isTaken) await untilDrained(response);
  }
  if (!response.destroyed) response.end();
}

/** Cuts the connection when everything that was written has left. */
export function cut({ response, sent }: Exchange): void {
  if (sent.end === "sending") sent.end = "cut";
  response.flushHeaders();
  response.socket?.destroySoon();
}

/** Cuts the connection without an answer. */
export function disconnect({ response, sent }: Exchange): void {
  if (sent.end === "sending") sent.end = "cut";
  response.socket?.destroy();
}

function note(sent: SendingAnswer, { contentBytes = 0, usage, told, isFinal = false }: StreamEvent): void {
  sent.events += 1;
  sent.contentBytes += contentBytes;
  if (told !== undefined) sent.told = merged(sent.told, told);
  if (usage === undefined) return;
  sent.usage = usage;
  sent.usageIsFinal = isFinal;
}

async function untilDrained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).catch(
    () => {},
  );
  waiting.abort();
}

/** What the vendor sends with every answer. */
function vendorHeaders(requestId: string): Record<string, string> {
  return {
    "request-id": requestId,
    "anthropic-organization-id": "00000000-0000-4000-8000-000000000000",
    "anthropic-ratelimit-requests-limit": "4000",
    "anthropic-ratelimit-requests-remaining": "3999",
    "anthropic-ratelimit-requests-reset": "2030-01-01T00:00:00Z",
    "set-cookie": "_simulated=1; HttpOnly; Secure; Path=/",
  };
}
