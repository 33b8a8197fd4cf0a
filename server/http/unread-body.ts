import type { IncomingMessage, ServerResponse } from "node:http";
import { JSON_MEDIA_TYPE } from "./answer.ts";
import { unhurriedly } from "./event-loop-turns.ts";
import { declaredLength } from "./json-body.ts";

/** What is left of a body that is no longer than this is read off, and the connection is kept. */
const READ_OFF_BYTES = 256 * 1024;
/** What a client may go on to send after its answer. */
const DISCARDED_BYTES = 64 * 1024 ** 2;
const DISCARDING_MS = 10_000;

/** Whether the client waits to be asked for its body. */
export function expectsContinue({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === "100-continue";
}

/** Whether so much of a request's body has not been read that its connection is not worth keeping. */
export function hasUnreadBody(req: IncomingMessage): boolean {
  if (req.complete || (req.headers["content-length"] ?? req.headers["transfer-encoding"]) === undefined)
    return false;
  const length = declaredLength(req);
  return length === null || length > READ_OFF_BYTES || (length > 0 && expectsContinue(req));
}

/**
 * Answers a request at once whose body has not been read, and closes its connection. What the client goes on to send is
 * thrown away for a while, for it may read the answer only when it has sent all.
 */
export function answerBeforeBody(req: IncomingMessage, res: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  res.setHeader("Connection", "close");
  res.setHeader("Content-Type", JSON_MEDIA_TYPE);
  res.setHeader("Content-Length", Buffer.byteLength(text));
  res.write(text);
  let discardedBytes = 0;
  const end = () => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, DISCARDING_MS);
  req.on("data", (piece: Buffer) => {
    discardedBytes += piece.length;
    if (discardedBytes > DISCARDED_BYTES) return end();
    // A hundred clients that send as fast as they can would keep everybody else waiting, and what they send is garbage to collect.
    req.pause();
    unhurriedly(() => req.resume());
  });
  req.once("end", end).once("close", end).resume();
}
