import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { UpstreamUnavailableError } from "./errors.ts";

/** How long the upstream may take. */
export interface UpstreamTimeouts {
  /** To take the connection; 10 s when not given. */
  readonly connectMs?: number;
  /** From the request to the head of the answer. */
  readonly headMs: number;
  /** From one piece of an answer to the next; 2 minutes when not given. */
  readonly idleMs?: number;
}

/** Where the upstream is and how it is called. */
export interface UpstreamOptions {
  /** Its root, such as `https://upstream.example`: paths begin with /v1. */
  readonly url: string;
  readonly apiKey: string;
  /** The name of the header that carries the version of the interface; it is passed on. */
  readonly versionHeader: string;
  readonly timeouts: UpstreamTimeouts;
}

/** What a caller sent beside the body, by names in lower case. */
export type CallerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A body that is passed on. */
export interface SentBody {
  /** In bytes. */
  readonly length: number;
  /** Byte for byte as it came. */
  readonly pieces: readonly Buffer[];
  /** Lets go of it. */
  release(): void;
}

/** A request as it is passed on. */
export interface UpstreamRequest {
  /** Path and query, such as `/v1/messages?beta=true`. */
  readonly path: string;
  /** The caller's; only those that are meant for the upstream are sent. */
  readonly headers: CallerHeaders;
  /** Let go as soon as the upstream has it. */
  readonly body: SentBody;
  /** Breaks the request off, until the head of the answer has come. */
  readonly signal: AbortSignal;
}

/** The service that answers the calls. */
export interface Upstream {
  /** How long it may take from one piece of an answer to the next. */
  readonly idleMs: number;
  /**
   * Sends a request on a connection that is kept for the next, and waits for the head of the answer. Redirects are answers
   * like others.
   * @throws {UpstreamUnavailableError} there is no answer. @throws {unknown} the signal's reason.
   */
  send(request: UpstreamRequest): Promise<IncomingMessage>;
  /** Lets go of the connections that are kept. */
  close(): void;
}

const CONNECT_MS = 10_000;
const IDLE_MS = 120_000;
const RETRY_AFTER_SECONDS = 5;
// Many servers close a connection that was idle for five seconds, and a request that meets that stays without an answer.
const KEPT = { keepAlive: true, timeout: 4_000, maxFreeSockets: 1_024 };
const PASSED_ON = ["content-type", "accept", "anthropic-beta"];

/** Opens the connection to the upstream; sockets are made when first needed. */
export function createUpstream({ url, apiKey, versionHeader, timeouts }: UpstreamOptions): Upstream {
  const { protocol, hostname, port, pathname } = new URL(url);
  const secure = protocol === "https:";
  const agent = secure ? new HttpsAgent(KEPT) : new HttpAgent(KEPT);
  const begin = secure ? httpsRequest : httpRequest;
  const { connectMs = CONNECT_MS, headMs, idleMs = IDLE_MS } = timeouts;
  const base = {
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port,
    method: "POST",
    connected: secure ? "secureConnect" : "connect",
    basePath: pathname.replace(/\/$/, ""),
  };
  const names = [...PASSED_ON, versionHeader];

  const open = (request: UpstreamRequest, options: RequestOptions): ClientRequest =>
    begin({
      ...base,
      path: base.basePath + request.path,
      headers: headersOf(request, names, apiKey),
      ...options,
    });
  const times = { connectMs, headMs, connected: base.connected };

  return {
    idleMs,
    async send(request) {
      request.signal.throwIfAborted();
      const sending = await headOf(open(request, { agent }), request, times);
      if (sending !== "stale") return sending;
      const again = await headOf(open(request, { agent: false }), request, times);
      if (again === "stale") throw new Error("A new connection is not a stale one.");
      return again;
    },
    close: () => agent.destroy(),
  };
}

// An allow list: keys, cookies and whatever speaks of one connection only must not pass.
function headersOf(
  { headers, body }: UpstreamRequest,
  names: readonly string[],
  apiKey: string,
): OutgoingHttpHeaders {
  const passed: OutgoingHttpHeaders = {};
  for (const name of names) if (headers[name] !== undefined) passed[name] = headers[name];
  passed["accept-encoding"] = "identity";
  passed["x-api-key"] = apiKey;
  passed["content-length"] = body.length;
  return passed;
}

/**
 * Sends the body and waits for the head of the answer. "stale": the connection had been kept for too long, and not all of
 * the request went into it, so that nothing can have come of it.
 */
function headOf(
  outgoing: ClientRequest,
  { body, signal }: UpstreamRequest,
  { connectMs, headMs, connected }: { connectMs: number; headMs: number; connected: string },
): Promise<IncomingMessage | "stale"> {
  return new Promise((resolve, reject) => {
    let sent = false;
    let written = false;
    let late = false;
    const giveUp = () => {
      late = true;
      outgoing.destroy();
    };
    let timer = setTimeout(giveUp, connectMs);
    const abort = () => void outgoing.destroy();
    signal.addEventListener("abort", abort);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
    const begun = () => {
      sent = true;
      clearTimeout(timer);
      timer = setTimeout(giveUp, headMs);
    };
    outgoing.on("socket", (socket) => {
      if (outgoing.reusedSocket || !socket.connecting) begun();
      else socket.once(connected, begun);
    });
    // An answer may take minutes, and as many bodies may wait for one.
    outgoing.on("finish", () => {
      written = true;
      body.release();
    });
    outgoing.on("response", (answer) => {
      settle();
      resolve(answer);
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      settle();
      if (signal.aborted) reject(signal.reason);
      else if (outgoing.reusedSocket && !late && !written && error.syscall === "write") resolve("stale");
      else reject(unavailable({ sent, late }));
    });
    for (const piece of body.pieces) outgoing.write(piece);
    outgoing.end();
  });
}

function unavailable({ sent, late }: { sent: boolean; late: boolean }): UpstreamUnavailableError {
  if (!sent) {
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    return new UpstreamUnavailableError("The upstream cannot be reached. Retry with backoff.", retry);
  }
  if (late) return new UpstreamUnavailableError("The upstream did not answer in time.", { workDone: true });
  return new UpstreamUnavailableError("The connection to the upstream broke before it answered.");
}
