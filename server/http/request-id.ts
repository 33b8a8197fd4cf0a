import { randomUUID } from "node:crypto";
import type { RequestHandler } from "express";
import { beginContext } from "./request-context.ts";

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/** Takes the caller's X-Request-Id where it is harmless, else makes one, and answers with it. */
export const requestId: RequestHandler = (req, res, next) => {
  const given = req.get("x-request-id");
  const id = given !== undefined && ACCEPTABLE.test(given) ? given : randomUUID();
  beginContext(res, { requestId: id });
  res.setHeader("X-Request-Id", id);
  next();
};
