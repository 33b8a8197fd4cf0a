import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import { beginContext } from "./request-context.ts";

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;
// As the keys of most services begin, so of vendors' as well.
const KEY_LIKE = /(?:^|[^A-Za-z0-9])sk[_-]/i;

/**
 * Takes the caller's X-Request-Id where it has the form of one, else makes one, and answers with it. What is or may be a key
 * is none: a request id is logged and kept.
 * @param mayBeKey whether a text may hold a key of this service.
 */
export function requestId(mayBeKey: (text: string) => boolean): RequestHandler {
  return (req, res, next) => {
    const given = req.get("x-request-id");
    const isFine = given !== undefined && ACCEPTABLE.test(given) && !KEY_LIKE.test(given) && !mayBeKey(given);
    const id = isFine ? given : randomUUID();
    beginContext(res, { requestId: id });
    res.setHeader("X-Request-Id", id);
    next();
  };
}
