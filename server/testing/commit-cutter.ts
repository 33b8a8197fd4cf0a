import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy in front of a database server that can lose the answer to a COMMIT. */
export interface CommitCutter {
  /** The database's address through the proxy. */
  readonly url: string;
  /** Lets the next COMMIT through to the server and cuts the connection when its answer comes back. */
  cutNextCommit(): void;
  /** How many connections were cut. */
  cuts(): number;
  close(): void;
}

/** @param databaseUrl the database's address over TCP. */
export async function startCommitCutter(databaseUrl: string): Promise<CommitCutter> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let armed = false;
  let cut = 0;

  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    let cutting = false;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        server.destroy();
      });
    }
    client.on("data", (data) => {
      if (armed && isCommit(data)) {
        armed = false;
        cutting = true;
      }
      server.write(data);
    });
    server.on("data", (data) => {
      if (!cutting) return void client.write(data);
      cut += 1;
      client.destroy();
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    cutNextCommit() {
      armed = true;
    },
    cuts: () => cut,
    close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

// The statement stands at the end of its packet, behind a header whose length differs between servers.
function isCommit(packet: Buffer): boolean {
  return packet.toString("latin1").endsWith("COMMIT");
}
