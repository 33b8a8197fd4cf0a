import { once } from "node:events";
import { createServer, type RequestListener, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";

// 32 MiB have to come through within the time of a request, over 3 Mbit/s.
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 120_000, keepAliveTimeout: 65_000 };
const IDLE_SWEEP_MS = 20;
const REQUEST_LINE = /^[A-Z]+ \//;
// Longer than any order call takes; who has sent nothing or reads nothing until then is cut off.
const STOP_DEADLINE_MS = 28_000;

/** A listening server. */
export interface Listening {
  /** `http://host:port`, with the port that was really taken. */
  readonly url: string;
  /** Takes no more requests, answers those under way, and resolves when the last is answered. */
  close(): Promise<void>;
}

/** Serves on a port (0: any free one). @throws when the port cannot be taken, with Node's `code` (EADDRINUSE, …). */
export async function listen(
  app: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer(TIMEOUTS, app);
  // Left to itself Node refuses with an empty answer whoever expects something else than 100-continue.
  server.on("checkExpectation", app);
  const lastLines = new WeakMap<Duplex, string>();
  server.on("request", ({ method, url, socket }) => lastLines.set(socket, `${method} ${url} `));
  server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    socket.end(unreadableRequest(error.rawPacket?.toString("latin1", 0, 20), lastLines.get(socket)));
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shownHost = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return {
    url: `http://${shownHost}:${address.port}`,
    close: () => closeGracefully(server, sockets),
  };
}

// A connection that is kept alive becomes idle only when its last answer is sent, after close() has looked for idle ones.
// One that a client opened in reserve and never used is none of them.
async function closeGracefully(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const sweep = setInterval(() => {
    server.closeIdleConnections();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, IDLE_SWEEP_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_DEADLINE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}

// Node could not even parse it as HTTP, so no application sees it, or not its end; the answer still has the shape of the
// interface that it seems to be meant for. A packet that does not begin with a request belongs to the last one.
function unreadableRequest(packet = "", lastLine = ""): string {
  const message = "The request is not readable as HTTP.";
  const isForProxy = /^[A-Z]+ \/v1[/ ?]/.test(REQUEST_LINE.test(packet) ? packet : lastLine);
  const body = JSON.stringify(
    isForProxy
      ? { type: "error", error: { type: "invalid_request_error", message } }
      : { error: "bad_request", message },
  );
  const head = [
    `HTTP/1.1 400 ${STATUS_CODES[400]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
