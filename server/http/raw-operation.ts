import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Request, Response } from "express";
import type { RequestBody } from "./request-body.ts";
import { contextOf } from "./request-context.ts";

/**
 * A request that the contract allows, as it came, for an operation whose answer is not made here, such as one that is
 * passed on. Its handler writes the answer itself, of which only the common headers are set. It throws domain errors only
 * before it has written the head, and resolves when the answer is written or given up.
 */
export interface RawInput<Principal> {
  readonly principal: Principal;
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw query with its "?", or "". */
  readonly query: string;
  /** The body, byte for byte as it came and what it says. Nothing else holds it: it is the handler's to let go. */
  readonly body: RequestBody;
  readonly response: ServerResponse;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** The input of a raw operation, once the request is let in and its body is read. */
export function rawInputOf(req: Request, res: Response): RawInput<unknown> {
  const context = contextOf(res);
  const { principal, body, requestId } = context;
  if (principal === undefined || body === undefined)
    throw new Error("A request that is passed on has no principal or no body.");
  // Set and not deleted: an object of which something was deleted is slow to use from then on.
  context.body = undefined;
  req.body = undefined;
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  const queryStart = req.originalUrl.indexOf("?");
  return {
    principal,
    requestId,
    headers: req.headers,
    query: queryStart === -1 ? "" : req.originalUrl.slice(queryStart),
    body,
    response: res,
    signal: gone.signal,
  };
}
