import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { UpstreamUnavailableError } from "./errors.ts";
import type { Meter } from "./meter.ts";
import { readBody } from "./read-body.ts";
import { refusalOf, refusalOfStream, writeRefusal } from "./refusal.ts";
import { type RelayEnd, relayStream } from "./relay-stream.ts";
import type { Upstream } from "./upstream.ts";
import { readAnswerUsage, StreamReader } from "./usage-reader.ts";

/** A request as the use cases need it. */
export interface Forwarded {
  readonly headers: IncomingHttpHeaders;
  readonly query: string;
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** Aborted when the client is gone ({@link CLIENT_GONE}) or the service stops. */
  readonly signal: AbortSignal;
}

/** Why a call is broken off whose client does not wait for it any more. */
export const CLIENT_GONE = Symbol("client gone");

const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024;
const LARGEST_REFUSAL_BYTES = 256 * 1024;

/**
 * Forwards one call and passes the answer on. The meter is ended before the client can take the answer for complete.
 * @throws before anything is written and with the meter still running: {@link UpstreamUnavailableError},
 * `UpstreamMisconfiguredError`, or the signal's reason.
 */
export async function forwardMessage(request: Forwarded, upstream: Upstream, meter: Meter): Promise<void> {
  const { headers, query, body, response, signal } = request;
  const answer = await upstream.send({ path: `/v1/messages${query}`, headers, body, signal });
  meter.upstreamRequestId = upstreamRequestId(answer.headers);
  if (answer.statusCode !== 200) {
    const refusal = await readRefusal(answer, upstream.idleMs, signal);
    await meter.end("rejected", null);
    writeRefusal(withRequestId(response, answer), refusal);
  } else if (isEventStream(answer.headers)) {
    await forwardStream(answer, request, upstream, meter);
  } else {
    await forwardJson(answer, request, upstream, meter);
  }
}

/** Forwards a request whose answer is small and free. @throws as {@link forwardMessage}. */
export async function forwardCount(request: Forwarded, upstream: Upstream): Promise<void> {
  const { headers, query, body, response, signal } = request;
  const answer = await upstream.send({ path: `/v1/messages/count_tokens${query}`, headers, body, signal });
  if (answer.statusCode !== 200) {
    const refusal = await readRefusal(answer, upstream.idleMs, signal);
    return writeRefusal(withRequestId(response, answer), refusal);
  }
  const counted = await readWhole(answer, LARGEST_REFUSAL_BYTES, upstream.idleMs, signal);
  if (counted === null || !hasCount(counted)) {
    throw new UpstreamUnavailableError("The upstream's answer broke off or cannot be read.");
  }
  writeJson(withRequestId(response, answer), counted);
}

async function forwardJson(
  answer: IncomingMessage,
  { response, signal }: Forwarded,
  { idleMs }: Upstream,
  meter: Meter,
): Promise<void> {
  const message = await readWhole(answer, LARGEST_ANSWER_BYTES, idleMs, signal);
  const usage = message === null ? null : readAnswerUsage(message);
  if (message === null || usage === null) {
    const text = "The upstream's answer broke off or cannot be read.";
    throw new UpstreamUnavailableError(text, { workDone: true });
  }
  await meter.end("completed", { usage, estimated: false });
  writeJson(withRequestId(response, answer), message);
}

async function forwardStream(
  answer: IncomingMessage,
  { response, signal }: Forwarded,
  { idleMs }: Upstream,
  meter: Meter,
): Promise<void> {
  const reader = new StreamReader();
  meter.seen = () => reader.seen();
  const end = await relayStream(answer, response, {
    reader,
    idleMs,
    signal,
    begin() {
      withRequestId(response, answer).writeHead(200, {
        "Content-Type": answer.headers["content-type"] ?? "text/event-stream",
        "Cache-Control": "no-cache",
        "X-Accel-Buffering": "no",
      });
      meter.recordSoon();
    },
  });
  if (reader.started) return endStream(response, signal, meter, end, reader.errorType !== null);
  if (end.outcome === "broken_off") throw signal.reason;
  // It has failed, but may have said why.
  const refusal = refusalOfStream(reader.errorType ?? "api_error");
  await meter.end("rejected", null);
  writeRefusal(withRequestId(response, answer), refusal);
}

async function endStream(
  response: ServerResponse,
  signal: AbortSignal,
  meter: Meter,
  { outcome, betweenEvents }: RelayEnd,
  errorTold: boolean,
): Promise<void> {
  const stopping = signal.aborted && signal.reason !== CLIENT_GONE;
  if (outcome === "broken_off" && !stopping) {
    await meter.end("client_aborted", meter.seen());
    response.destroy();
    return;
  }
  await meter.end(outcome === "completed" ? "completed" : "upstream_failed", meter.seen());
  if (outcome !== "completed" && !errorTold) response.write((betweenEvents ? "" : "\n\n") + BROKEN_OFF);
  response.end();
}

const BROKEN_OFF = `event: error\ndata: ${JSON.stringify({
  type: "error",
  error: { type: "api_error", message: "The answer broke off before its end." },
})}\n\n`;

async function readRefusal(answer: IncomingMessage, idleMs: number, signal: AbortSignal) {
  const body = await readWhole(answer, LARGEST_REFUSAL_BYTES, idleMs, signal);
  return refusalOf(answer.statusCode ?? 0, answer.headers, body ?? Buffer.alloc(0));
}

/** @returns null when the answer cannot be read to its end. @throws the signal's reason. */
async function readWhole(
  answer: IncomingMessage,
  mostBytes: number,
  idleMs: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const body = await readBody(answer, { mostBytes, idleMs, signal });
  if (body === null) signal.throwIfAborted();
  return body;
}

function hasCount(body: Buffer): boolean {
  try {
    return Number.isInteger(JSON.parse(body.toString()).input_tokens);
  } catch {
    return false;
  }
}

function writeJson(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
  response.end(body);
}

function withRequestId(response: ServerResponse, { headers }: IncomingMessage): ServerResponse {
  const requestId = upstreamRequestId(headers);
  if (requestId !== null) response.setHeader("request-id", requestId);
  return response;
}

function upstreamRequestId(headers: IncomingHttpHeaders): string | null {
  const given = headers["request-id"] ?? headers["x-request-id"];
  return typeof given === "string" && given !== "" ? given : null;
}

function isEventStream(headers: IncomingHttpHeaders): boolean {
  return /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
}
