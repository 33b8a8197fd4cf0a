import { connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { findStablePort } from "../free-port.ts";

/** An address that leads to the server which may write, as a router or a floating address does in production. */
export interface PrimarySwitch {
  readonly port: number;
  close(): Promise<void>;
}

const LOOK_MS = 200;

/**
 * Leads to where `findPrimary` says, which is asked again and again. When that changes, connections to the former are cut.
 * @param findPrimary the primary's port; null when none is known, and then nothing changes.
 */
export async function startPrimarySwitch(findPrimary: () => Promise<number | null>): Promise<PrimarySwitch> {
  let target: number | null = null;
  const sockets = new Set<Socket>();
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (target === null) return void client.destroy();
    const behind = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  const port = await findStablePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  let closed = false;
  const look = async () => {
    const primary = await findPrimary().catch(() => null);
    if (primary === null || primary === target) return;
    target = primary;
    cutAll();
  };
  await look();
  const looking = (async () => {
    while (!closed) {
      await delay(LOOK_MS);
      await look();
    }
  })();
  return {
    port,
    async close() {
      closed = true;
      await looking;
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
