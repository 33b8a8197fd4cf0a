import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { followHttp, followMysql, type ProtocolFollower, type WireMessage } from "./wire-protocol.ts";

/** A TCP interceptor in front of one server that shows every request and every answer before it passes it on. */
export interface Interceptor {
  /** The server's address through the interceptor. */
  readonly url: string;
  /** Cuts every connection, and every new one at once, for ever. */
  shut(): void;
  /** Cuts every connection and gives the port back. */
  close(): void;
}

/** `pass`: goes on unchanged. `cut`: never arrives, and its connection is cut on both sides. */
export type Verdict = "pass" | "cut";

/**
 * @param url `mysql://…` of a database over TCP, or `http://…`; whatever else it holds stays as it is.
 * @param judge is asked synchronously at the beginning of each message, before any of it is passed on.
 */
export async function startInterceptor(
  url: string,
  judge: (message: WireMessage) => Verdict,
): Promise<Interceptor> {
  const target = new URL(url);
  const follow = target.protocol === "mysql:" ? followMysql : followHttp;
  const sockets = new Set<Socket>();
  let isShut = false;

  const interceptor = createServer((client) => {
    if (isShut) return void client.resetAndDestroy();
    const server = connect(Number(target.port), target.hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    }
    join(client, server, follow(), judge);
  });
  interceptor.listen(0, "127.0.0.1");
  await once(interceptor, "listening");

  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: withPort(url, (interceptor.address() as AddressInfo).port),
    // The port stays taken: what still tries to reach it must never meet a stranger there.
    shut() {
      isShut = true;
      cutAll();
    },
    close() {
      interceptor.close();
      cutAll();
    },
  };
}

function join(
  client: Socket,
  server: Socket,
  follower: ProtocolFollower,
  judge: (message: WireMessage) => Verdict,
): void {
  const cut = () => {
    client.destroy();
    server.destroy();
  };
  const connectOneWay = (from: "client" | "server", source: Socket, sink: Socket) => {
    source.setNoDelay(true);
    source.on("error", () => {});
    source.on("close", () => sink.destroySoon());
    source.on("data", (data) => {
      for (const { bytes, begins } of follower.read(from, data)) {
        if (source.destroyed) return;
        if (begins !== null && judge(begins) === "cut") return cut();
        sink.write(bytes);
      }
    });
  };
  connectOneWay("client", client, server);
  connectOneWay("server", server, client);
}

function withPort(text: string, port: number): string {
  const url = new URL(text);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  // A base URL without a path is written without the slash that the parser adds.
  return text.endsWith("/") || url.pathname !== "/" ? url.href : url.href.replace(/\/$/, "");
}
