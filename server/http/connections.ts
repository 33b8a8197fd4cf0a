import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const SWEEP_MS = 20;
/** How long a client may take to close a connection that the server has closed on its side. */
const LINGER_MS = 500;

/** The connections of a server, and the requests that are answered on them. */
export interface Connections {
  /** Notes that a request has come which this will answer. */
  serve(res: ServerResponse): void;
  /** From now on every answer closes its connection, also those to requests that have come already. */
  closeAfterAnswers(): void;
  /** Resolves when the requests until now are answered. */
  answered(): Promise<void>;
  /**
   * Closes the connections that there are and on which nothing comes or is answered for `graceMs`: a request may be on its way
   * on one that was used a moment ago. Resolves when all of them are gone or answer something.
   */
  closeUnused(graceMs: number): Promise<void>;
}

interface Connection {
  answering: number;
  /** When something came or was answered for the last time, and how much had come by then. */
  usedAtMs: number;
  bytesRead: number;
  isEnded: boolean;
  last: ServerResponse | null;
}

/** Watches the connections that are made to a server from now on. */
export function watchConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();
  let isClosing = false;
  let underWay = 0;
  let finished: (() => void) | null = null;
  server.on("connection", (socket) => {
    connections.set(socket, newConnection());
    socket.once("close", () => connections.delete(socket));
  });
  return {
    serve(res) {
      if (isClosing) res.setHeader("Connection", "close");
      const { socket } = res;
      const connection = socket === null ? undefined : connections.get(socket);
      // Those that come later are none of those that are waited for.
      const isAwaited = finished === null;
      if (isAwaited) underWay += 1;
      if (connection !== undefined) beginAnswer(connection, res);
      res.once("close", () => {
        if (connection !== undefined) endAnswer(connection, socket?.bytesRead ?? 0);
        if (!isAwaited) return;
        underWay -= 1;
        if (underWay === 0) finished?.();
      });
    },

    closeAfterAnswers() {
      isClosing = true;
      for (const { answering, last } of connections.values())
        if (answering > 0 && last?.headersSent === false) last.setHeader("Connection", "close");
    },

    answered: () =>
      new Promise<void>((resolve) => {
        finished = resolve;
        if (underWay === 0) resolve();
      }),

    async closeUnused(graceMs) {
      let open = [...connections];
      while (open.length > 0) {
        for (const [socket, connection] of open) closeIfUnused(socket, connection, graceMs);
        await delay(SWEEP_MS);
        open = open.filter(([socket, { answering }]) => !socket.destroyed && answering === 0);
      }
    },
  };
}

function newConnection(): Connection {
  return { answering: 0, usedAtMs: performance.now(), bytesRead: 0, isEnded: false, last: null };
}

function beginAnswer(connection: Connection, res: ServerResponse): void {
  connection.answering += 1;
  connection.last = res;
}

function endAnswer(connection: Connection, bytesRead: number): void {
  connection.answering -= 1;
  connection.usedAtMs = performance.now();
  connection.bytesRead = bytesRead;
}

// What comes on a connection that is destroyed is answered with a reset. One that is closed on this side alone tells its
// client that it ends.
function closeIfUnused(socket: Socket, connection: Connection, graceMs: number): void {
  if (connection.isEnded || connection.answering > 0) return;
  const nowMs = performance.now();
  if (socket.bytesRead > connection.bytesRead) {
    connection.bytesRead = socket.bytesRead;
    connection.usedAtMs = nowMs;
  }
  if (nowMs - connection.usedAtMs < graceMs) return;
  connection.isEnded = true;
  socket.end();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
