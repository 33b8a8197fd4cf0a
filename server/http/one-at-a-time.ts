import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How many requests may wait on a connection for those before them; clients in use send one at a time. */
const MAX_WAITING = 64;

type Exchange = readonly [IncomingMessage, ServerResponse];

/**
 * Begins the requests of each connection one at a time: what is sent ahead of an answer waits for it, and for the event loop
 * to turn. All that comes in one packet would otherwise be begun at once, which is 2,000 requests in 64 KiB. A connection on
 * which too many wait is cut off, and what waits on one that closes is not begun.
 */
export function oneAtATime(serve: RequestListener): RequestListener {
  /** What waits on each connection on which something is being answered. */
  const waiting = new WeakMap<Socket, Exchange[]>();

  function begin([req, res]: Exchange): void {
    const { socket } = req;
    res.once("close", () => {
      if (waiting.get(socket)?.length === 0) waiting.delete(socket);
      else setImmediate(beginNext, socket);
    });
    serve(req, res);
  }

  function beginNext(socket: Socket): void {
    const next = waiting.get(socket)?.shift();
    if (next !== undefined && socket.writable) begin(next);
    else waiting.delete(socket);
  }

  return (req, res) => {
    const { socket } = req;
    const before = waiting.get(socket);
    if (before === undefined) {
      waiting.set(socket, []);
      begin([req, res]);
    } else if (before.length < MAX_WAITING) before.push([req, res]);
    else socket.destroy();
  };
}
