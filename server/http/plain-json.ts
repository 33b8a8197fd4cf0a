import type { RequestHandler, Response } from "express";
import { JSON_MEDIA_TYPE } from "./answer.ts";

/**
 * Makes `res.json` send `application/json` without parameters, as the contracts say, and without computing an ETag
 * that no caller asks for.
 */
export const plainJson: RequestHandler = (_req, res, next) => {
  res.json = sendJson;
  next();
};

function sendJson(this: Response, body: unknown): Response {
  const text = JSON.stringify(body);
  this.setHeader("Content-Type", JSON_MEDIA_TYPE);
  this.setHeader("Content-Length", Buffer.byteLength(text));
  this.end(text);
  return this;
}
