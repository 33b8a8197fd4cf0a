import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

const HOST = "127.0.0.1";
// Thousands of buyers may come at once.
const BACKLOG = 4_096;
const TIMEOUTS = { keepAliveTimeout: 65_000, headersTimeout: 30_000, requestTimeout: 60_000 };

/** A server that can go away and come back at the same address. */
export interface RestartableServer {
  /** `http://host:port`. */
  readonly origin: string;
  /** Stops listening and cuts every connection; what was begun goes on. Nothing when it is down already. */
  down(): Promise<void>;
  /** Listens on the same port again. Nothing when it is up already. */
  up(): Promise<void>;
}

/** Starts listening; port 0 takes any free one. @throws when the port cannot be taken. */
export async function startServer(port: number, listener: RequestListener): Promise<RestartableServer> {
  const server = createServer(TIMEOUTS, listener);
  const listen = async (onPort: number) => {
    server.listen({ host: HOST, port: onPort, backlog: BACKLOG });
    await once(server, "listening");
  };
  await listen(port);
  const taken = (server.address() as AddressInfo).port;
  return {
    origin: `http://${HOST}:${taken}`,
    async down() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
    async up() {
      if (!server.listening) await listen(taken);
    },
  };
}

/** Reads a body; null: it is larger than the limit. Never settles when the client goes away before its end. */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) chunks.push(chunk);
    });
    request.on("end", () => {
      if (size > limitBytes) resolve(null);
      else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    request.on("error", () => {});
  });
}
