import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { DomainError } from "../errors.ts";
import { KeyUnusableError, UpstreamUnavailableError } from "./errors.ts";
import type { MessageAnswer } from "./message-answer.ts";
import type { Meter } from "./meter.ts";
import { readBody } from "./read-body.ts";
import { refusalOf, refusalOfStream } from "./refusal.ts";
import { type RelayEnd, relayStream } from "./relay-stream.ts";
import type { CallerHeaders, SentBody, Upstream } from "./upstream.ts";
import { upstreamRequestIdIn } from "./upstream-request-id.ts";
import { readAnswerUsage, StreamReader } from "./usage-reader.ts";

/** A request as the use cases need it. */
export interface Forwarded {
  readonly headers: CallerHeaders;
  readonly query: string;
  readonly body: SentBody;
  readonly answer: MessageAnswer;
  /** How long the client may take nothing of a stream. */
  readonly clientStallMs: number;
  /**
   * Aborted when nothing more is waited for: the client has gone some time ago ({@link CLIENT_DISCONNECTED}), its key is
   * revoked, or the service stops.
   */
  readonly signal: AbortSignal;
  /** Aborted as soon as the client is gone. The upstream is read on for a while, since it bills what it generates. */
  readonly client: AbortSignal;
  /** Called when a stream has begun, so that it is charged for however it ends. */
  readonly begun?: () => void;
}

/** Why a call is broken off whose client does not wait for it any more. */
export const CLIENT_DISCONNECTED = Symbol("client disconnected");

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 256 * 1024;

/**
 * Forwards one call and passes the answer on. The meter is ended before the client can take the answer for complete.
 * @throws before anything is written and with the meter still running: {@link UpstreamUnavailableError},
 * `UpstreamRefusedError`, `UpstreamMisconfiguredError`, or the signal's reason.
 */
export async function forwardMessage(request: Forwarded, upstream: Upstream, meter: Meter): Promise<void> {
  const { headers, query, body, signal } = request;
  const sent = await upstream.send({ path: `/v1/messages${query}`, headers, body, signal });
  meter.upstreamRequestId = upstreamRequestIdIn(sent.headers);
  if (sent.statusCode !== 200) throw await readRefusal(sent, upstream.idleMs, signal);
  if (isEventStream(sent.headers)) await forwardStream(sent, request, upstream, meter);
  else await forwardJson(sent, request, upstream, meter);
}

/** Forwards a request whose answer is small and free. @throws as {@link forwardMessage}. */
export async function forwardCount(
  request: Omit<Forwarded, "clientStallMs" | "client">,
  upstream: Upstream,
): Promise<void> {
  const { headers, query, body, answer, signal } = request;
  const sent = await upstream.send({ path: `/v1/messages/count_tokens${query}`, headers, body, signal });
  if (sent.statusCode !== 200) throw await readRefusal(sent, upstream.idleMs, signal);
  const counted = await readWhole(sent, MAX_REFUSAL_BYTES, upstream.idleMs, signal);
  if (counted === null || !hasCount(counted)) {
    throw new UpstreamUnavailableError("The upstream's answer broke off or cannot be read.");
  }
  answer.whole(counted, upstreamRequestIdIn(sent.headers));
}

async function forwardJson(
  sent: IncomingMessage,
  { answer, signal, client }: Forwarded,
  { idleMs }: Upstream,
  meter: Meter,
): Promise<void> {
  const message = await readWhole(sent, MAX_ANSWER_BYTES, idleMs, signal);
  const seen = message === null ? null : readAnswerUsage(message);
  if (message === null || seen === null) {
    const text = "The upstream's answer broke off or cannot be read.";
    throw new UpstreamUnavailableError(text, { workDone: true });
  }
  await meter.end(client.aborted ? "client_aborted" : "completed", seen);
  answer.whole(message, upstreamRequestIdIn(sent.headers));
}

async function forwardStream(
  sent: IncomingMessage,
  { answer, clientStallMs, signal, client, begun }: Forwarded,
  { idleMs }: Upstream,
  meter: Meter,
): Promise<void> {
  const reader = new StreamReader(() => meter.noteUsage());
  meter.seen = () => reader.seen();
  const end = await relayStream(sent, answer, {
    reader,
    idleMs,
    clientStallMs,
    signal,
    client,
    begin() {
      const mediaType = sent.headers["content-type"] ?? "text/event-stream";
      answer.begin(mediaType, upstreamRequestIdIn(sent.headers));
      meter.scheduleFirstRecord();
      begun?.();
    },
  });
  if (reader.started) return endStream(answer, signal, meter, end, reader.errorType !== null);
  if (end.outcome === "aborted") throw signal.reason;
  // It has failed, but may have said why.
  throw refusalOfStream(reader.errorType ?? "api_error", sent.headers);
}

async function endStream(
  answer: MessageAnswer,
  signal: AbortSignal,
  meter: Meter,
  { outcome, betweenEvents, clientLeft }: RelayEnd,
  errorSent: boolean,
): Promise<void> {
  const stopping = signal.aborted && signal.reason !== CLIENT_DISCONNECTED;
  if (clientLeft || (outcome === "aborted" && !stopping)) {
    await meter.end("client_aborted", meter.seen());
    answer.abort();
    return;
  }
  await meter.end(outcome === "completed" ? "completed" : "upstream_failed", meter.seen());
  if (outcome === "completed" || errorSent) answer.end();
  else answer.endBroken({ betweenEvents, cause: causeOf(signal) });
}

/** Why a stream was broken off, as far as its caller may know. */
function causeOf({ reason }: AbortSignal): DomainError | null {
  return reason instanceof KeyUnusableError ? reason : null;
}

async function readRefusal(
  answer: IncomingMessage,
  idleMs: number,
  signal: AbortSignal,
): Promise<DomainError> {
  const body = await readWhole(answer, MAX_REFUSAL_BYTES, idleMs, signal);
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

function isEventStream(headers: IncomingHttpHeaders): boolean {
  return /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
}
