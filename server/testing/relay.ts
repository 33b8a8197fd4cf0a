import { connect, createServer, type Socket } from "node:net";
import { findStablePort } from "./free-port.ts";

/** An address that passes connections on to a port of this machine. */
export interface Relay {
  readonly port: number;
  /** Cuts all connections. */
  cutAll(): void;
  /** From now on nothing arrives, in either direction and on new connections too, and nobody is told. */
  silence(): void;
  /** New connections are passed on again. Those of before stay silent, as when a firewall has forgotten them. */
  speak(): void;
  close(): Promise<void>;
}

/** @param findTarget the port that a new connection leads to; null: it is cut at once. */
export async function startRelay(findTarget: () => number | null): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  };
  const server = createServer({ pauseOnConnect: true }, (client) => {
    const target = findTarget();
    if (target === null) return void client.destroy();
    track(client);
    if (isSilent) return;
    const behind = connect(target, "127.0.0.1");
    track(behind);
    join(client, behind);
  });
  const port = await findStablePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cutAll,
    silence() {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    speak() {
      isSilent = false;
    },
    async close() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join(client: Socket, behind: Socket): void {
  client.on("close", () => behind.destroy()).pipe(behind);
  behind.on("close", () => client.destroy()).pipe(client);
}
