import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Request, Response } from "express";
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
  /** The body, byte for byte as it came. */
  readonly body: Buffer;
  /** The same, parsed. */
  readonly json: unknown;
  readonly response: ServerResponse;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/** The input of a raw operation, once the request is let in and its body is read. */
export function rawInputOf(req: Request, res: Response): RawInput<unknown> {
  const { principal, bodyBytes, requestId } = contextOf(res);
  if (principal === undefined || bodyBytes === undefined)
    throw new Error("A request that is passed on has no principal or no body.");
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
    body: bodyBytes,
    json: req.body,
    response: res,
    signal: gone.signal,
  };
}
