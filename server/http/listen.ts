import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type Connections, watchConnections } from "./connections.ts";
import type { ErrorAnswer } from "./fault.ts";
import { oneAtATime } from "./one-at-a-time.ts";

// 32 MiB have to come through within the time of a request, over 3 Mbit/s.
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 120_000, keepAliveTimeout: 65_000 };
const CLIENT_STALL_MS = 120_000;
const LOOKS_PER_STALL = 4;
/** Methods of requests that may have a body which is read. */
const WRITES = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const REQUEST_PATH = /^[A-Z]+ (\/[^ ?\r\n]*)/;
const MAX_PATH_READ = 200;
/** Node's codes for the faults that are told apart. */
const CONNECTION_FAULTS: Readonly<Record<string, ConnectionFault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "timed_out",
  HPE_HEADER_OVERFLOW: "head_too_large",
};
// Longer than any order call takes.
const STOP_DEADLINE_MS = 28_000;

/** A listening server. */
export interface Listening {
  /** `http://host:port`, with the port that was really taken. */
  readonly url: string;
  /** From now on every answer closes its connection, so that the next request goes to another process. */
  closeConnections(): void;
  /** Takes no more requests, answers those under way, and resolves when the last is answered. */
  close(options?: CloseOptions): Promise<void>;
}

/** How a server closes. */
interface CloseOptions {
  /** How long a connection must not have been used before it is closed; 0 when not given. */
  readonly idleGraceMs?: number;
  /** When who has sent nothing or reads nothing until then is cut off; 28 seconds when not given. */
  readonly deadlineMs?: number;
}

/**
 * Why no application sees a request: it does not come to its end in time, its line and headers are too large, or it is no
 * HTTP.
 */
export type ConnectionFault = "timed_out" | "head_too_large" | "unreadable";

/** The answer to a request that no application sees. */
export type ConnectionAnswer = Pick<ErrorAnswer, "status" | "headers" | "body">;

/** Answers what no application sees; the path is null where not even that can be read. */
export type AnswerConnectionFault = (fault: ConnectionFault, path: string | null) => ConnectionAnswer;

/** How a server listens. */
export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Without it a bare status is answered. */
  readonly answerConnectionFault?: AnswerConnectionFault | undefined;
  /** How long a client may take nothing of what is written of its answer; 2 minutes when not given. */
  readonly clientStallMs?: number;
  /** Otherwise than usual; for tests. */
  readonly timeouts?:
    | Pick<ServerOptions, "headersTimeout" | "requestTimeout" | "connectionsCheckingInterval">
    | undefined;
  /** Called when the server is to close: requests come on until those under way are answered, and are to be refused. */
  readonly onClose?: (() => void) | undefined;
}

/** Serves on a port. @throws when the port cannot be taken, with Node's `code` (EADDRINUSE, …). */
export async function listen(
  app: RequestListener,
  { host, port, clientStallMs = CLIENT_STALL_MS, onClose, timeouts, ...options }: ListenOptions,
): Promise<Listening> {
  const { answerConnectionFault = bareStatus } = options;
  const lastAnswers: LastAnswers = new WeakMap();
  const answering = new Set<ServerResponse>();
  const serve = oneAtATime((req, res) => {
    if (!isHttp(req)) return refuse(res, answerConnectionFault("unreadable", pathOf(req.url)));
    lastAnswers.set(req.socket, res);
    answering.add(res);
    res.once("close", () => answering.delete(res));
    connections.serve(res);
    app(req, res);
  });
  // A request without Host is refused here, since Node does it without a word.
  const server = createServer({ ...TIMEOUTS, ...timeouts, requireHostHeader: false }, serve);
  const connections = watchConnections(server);
  // Left to itself Node answers with nothing a client that expects something else than 100-continue, and asks for every
  // body that a client waits to be asked for, before it is known whether it is wanted.
  server.on("checkExpectation", serve);
  server.on("checkContinue", (req, res) => {
    if (!WRITES.has(req.method ?? "")) res.writeContinue();
    serve(req, res);
  });
  server.on("clientError", (error: ClientError, socket) =>
    answerClientError(error, socket, lastAnswers.get(socket), answerConnectionFault),
  );
  breakOffUnread(server, answering, clientStallMs);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shownHost = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    url: `http://${shownHost}:${address.port}`,
    closeConnections: connections.closeAfterAnswers,
    close: ({ idleGraceMs = 0, deadlineMs = STOP_DEADLINE_MS } = {}) =>
      closeGracefully(server, connections, { idleGraceMs, deadlineMs, onClose }),
  };
}

/** The answer to the last request of each connection. */
type LastAnswers = WeakMap<Duplex, ServerResponse<IncomingMessage>>;

type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

function answerClientError(
  error: ClientError,
  socket: Duplex,
  last: ServerResponse<IncomingMessage> | undefined,
  answerConnectionFault: AnswerConnectionFault,
): void {
  const isAnswering = last?.writableFinished === false;
  const isGone = !socket.writable || error.code === "ECONNRESET";
  // What has come whole is being answered. An answer to what comes behind it would be taken for its own: of an order that is
  // delivered the buyer would be told that it cannot be read.
  if (isAnswering && !isGone && last.req.complete) return void closeAfter(last);
  // What is written behind a part of an answer would be taken for more of it.
  if (isGone || (isAnswering && last.headersSent)) return void socket.destroy();
  const fault = CONNECTION_FAULTS[error.code ?? ""] ?? "unreadable";
  // A packet that does not begin with a request belongs to the last one.
  const path = pathIn(error.rawPacket) ?? pathOf(last?.req.url);
  socket.end(messageOf(answerConnectionFault(fault, path)));
}

/** Whose connections are closed after them; each packet that cannot be read says so again. */
const closedAfter = new WeakSet<ServerResponse>();

/** Closes a connection on which nothing more can be read, when what is being answered on it is answered. */
function closeAfter(last: ServerResponse): void {
  if (closedAfter.has(last)) return;
  closedAfter.add(last);
  if (!last.headersSent) last.setHeader("Connection", "close");
  const { socket } = last;
  last.once("close", () => socket?.destroySoon());
}

// The port is given up last, so that callers who come meanwhile are told when to come again.
async function closeGracefully(
  server: Server,
  connections: Connections,
  { idleGraceMs, deadlineMs, onClose }: Required<CloseOptions> & Pick<ListenOptions, "onClose">,
): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  connections.closeAfterAnswers();
  const answered = connections.answered();
  onClose?.();
  await answered;
  await connections.closeUnused(idleGraceMs);
  const closed = once(server, "close");
  server.close();
  // Who has come meanwhile.
  void connections.closeUnused(0);
  await closed;
  clearTimeout(deadline);
}

/** Closes the connections of clients that take nothing of what is written for them, be it all of an answer or a part. */
function breakOffUnread(server: Server, answering: ReadonlySet<ServerResponse>, clientStallMs: number): void {
  const look = () => {
    for (const { socket } of answering) {
      if (socket === null) continue;
      // While nothing is written, it is the answer that is slow to come. The time begins anew with all that is taken.
      const limitMs = socket.writableLength > 0 ? clientStallMs : 0;
      if ((socket.timeout ?? 0) !== limitMs) socket.setTimeout(limitMs);
    }
  };
  const looking = setInterval(look, clientStallMs / LOOKS_PER_STALL).unref();
  server.once("close", () => clearInterval(looking));
}

function pathIn(packet: Buffer | undefined): string | undefined {
  return REQUEST_PATH.exec(packet?.toString("latin1", 0, MAX_PATH_READ) ?? "")?.[1];
}

function pathOf(url: string | undefined): string | null {
  return url?.replace(/\?.*/s, "") ?? null;
}

/** Whether a request is of a version that we speak and says once whom it is for, as 1.0 need not; Node takes others as well. */
function isHttp({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return false;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** Answers in the order of the requests, unlike {@link answerClientError}. */
function refuse(res: ServerResponse, answer: ConnectionAnswer): void {
  const body = bodyOf(answer);
  res.writeHead(answer.status, headersOf(answer, body)).end(body);
}

// No application sees what is not HTTP, or not its end.
function messageOf(answer: ConnectionAnswer): string {
  const { status } = answer;
  const body = bodyOf(answer);
  const headers = Object.entries(headersOf(answer, body)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join("")}\r\n${body}`;
}

function bodyOf({ body }: ConnectionAnswer): string {
  return Object.keys(body).length === 0 ? "" : JSON.stringify(body);
}

function headersOf({ headers }: ConnectionAnswer, body: string): Record<string, string> {
  return {
    ...headers,
    ...(body !== "" && { "Content-Type": "application/json" }),
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  };
}

/** For servers that no interface speaks through, such as the admin port. */
function bareStatus(fault: ConnectionFault): ConnectionAnswer {
  return { status: fault === "timed_out" ? 408 : 400, headers: {}, body: {} };
}
