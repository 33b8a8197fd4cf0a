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

// 32 MiB have to come through within the time of a request, over 3 Mbit/s.
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 120_000, keepAliveTimeout: 65_000 };
const CLIENT_STALL_MS = 120_000;
/** Methods of requests that may have a body which is read. */
const WRITES = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const REQUEST_PATH = /^[A-Z]+ (\/[^ ?\r\n]*)/;
const MAX_PATH_READ = 200;
/** Node's code for a request that does not come to its end in time. */
const TIMED_OUT = "ERR_HTTP_REQUEST_TIMEOUT";
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

/** How a server listens. */
export interface ListenOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /**
   * The body of the 400 for what is not readable as HTTP; the path is null where not even that can be read. Without it
   * there is no body.
   */
  readonly unreadableBody?: ((path: string | null) => object) | undefined;
  /** How long a client may take nothing of an answer that is all written; 2 minutes when not given. */
  readonly clientStallMs?: number;
  /** Otherwise than usual; for tests. */
  readonly timeouts?: Pick<
    ServerOptions,
    "headersTimeout" | "requestTimeout" | "connectionsCheckingInterval"
  >;
  /** Called when the server is to close: requests come on until those under way are answered, and are to be refused. */
  readonly onClose?: (() => void) | undefined;
}

/** Serves on a port. @throws when the port cannot be taken, with Node's `code` (EADDRINUSE, …). */
export async function listen(
  app: RequestListener,
  { host, port, unreadableBody, clientStallMs = CLIENT_STALL_MS, onClose, timeouts }: ListenOptions,
): Promise<Listening> {
  const lastAnswers: LastAnswers = new WeakMap();
  const serve: RequestListener = (req, res) => {
    if (!isHttp(req)) return refuse(req, res, unreadableBody);
    lastAnswers.set(req.socket, res);
    breakOffUnread(res, clientStallMs);
    connections.serve(res);
    app(req, res);
  };
  const server = createServer({ ...TIMEOUTS, ...timeouts }, serve);
  const connections = watchConnections(server);
  // Left to itself Node answers with nothing a client that expects something else than 100-continue, and asks for every
  // body that a client waits to be asked for, before it is known whether it is wanted.
  server.on("checkExpectation", serve);
  server.on("checkContinue", (req, res) => {
    if (!WRITES.has(req.method ?? "")) res.writeContinue();
    serve(req, res);
  });
  server.on("clientError", (error: ClientError, socket) =>
    answerClientError(error, socket, lastAnswers.get(socket), unreadableBody),
  );
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
  unreadableBody: ListenOptions["unreadableBody"],
): void {
  // What is written behind a part of an answer would be taken for more of it.
  const isAnswering = last?.headersSent === true && !last.writableFinished;
  if (!socket.writable || error.code === "ECONNRESET" || isAnswering) socket.destroy();
  else if (error.code === TIMED_OUT) socket.end(messageOf(408, ""));
  // A packet that does not begin with a request belongs to the last one.
  else socket.end(messageOf(400, bodyFor(unreadableBody, pathIn(error.rawPacket) ?? pathOf(last?.req.url))));
}

// The port is given up last, so that whoever comes meanwhile is told when to come again.
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

/** Closes the connection of a client that takes nothing of an answer which is all written. */
function breakOffUnread(res: ServerResponse, clientStallMs: number): void {
  res.once("prefinish", () => {
    if (res.socket !== null && res.socket.writableLength > 0) res.socket.setTimeout(clientStallMs);
  });
}

function pathIn(packet: Buffer | undefined): string | undefined {
  return REQUEST_PATH.exec(packet?.toString("latin1", 0, MAX_PATH_READ) ?? "")?.[1];
}

function pathOf(url: string | undefined): string | null {
  return url?.replace(/\?.*/s, "") ?? null;
}

/** Whether a request is of a version that we speak and says at most once whom it is for; Node takes others as well. */
function isHttp({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return false;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  return hosts <= 1;
}

/** Answers in the order of the requests, unlike {@link answerClientError}. */
function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  unreadableBody: ListenOptions["unreadableBody"],
): void {
  const body = bodyFor(unreadableBody, pathOf(req.url));
  const type = body === "" ? {} : { "Content-Type": "application/json" };
  res.writeHead(400, { ...type, "Content-Length": Buffer.byteLength(body), Connection: "close" }).end(body);
}

function bodyFor(unreadableBody: ListenOptions["unreadableBody"], path: string | null): string {
  return unreadableBody === undefined ? "" : JSON.stringify(unreadableBody(path));
}

// No application sees what is not HTTP, or not its end.
function messageOf(status: 400 | 408, body: string): string {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...(body === "" ? [] : ["Content-Type: application/json"]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
