import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** More than services take, so that it is they who refuse. */
const MAX_HEADER_BYTES = 256 * 1024;

/**
 * Serves on this machine alone.
 * @param port 0 takes a free one
 * @throws when the port cannot be taken.
 */
export async function serveLocally(listener: RequestListener, port = 0): Promise<Server> {
  // A client may use a connection again after however long a busy machine has kept it waiting.
  const timeouts = { requestTimeout: 0, keepAliveTimeout: 0 };
  const options = { ...timeouts, maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false };
  const server = createServer(options, listener).listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** `http://host:port`. */
export function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Stops at once, whatever is under way. */
export function closeNow(server: Server): void {
  server.closeAllConnections();
  server.close();
}
