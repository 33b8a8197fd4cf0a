import express, { type RequestHandler, type Response } from "express";
import { contextOf } from "./request-context.ts";

/**
 * Makes `res.json` send `application/json` without parameters, as the contracts say, and without computing an ETag
 * that no caller asks for.
 */
export const plainJson: RequestHandler = (_req, res, next) => {
  res.json = (body: unknown): Response => {
    const text = JSON.stringify(body);
    res.setHeader("Content-Type", "application/json");
    res.setHeader("Content-Length", Buffer.byteLength(text));
    res.end(text);
    return res;
  };
  next();
};

/**
 * Reads a JSON body of at most `limit` (such as "64kb"). A fault is noted, not answered: whether the caller may call at
 * all is said first. The media type is reduced to its bare form, because the validator keeps a compiled validator for
 * every distinct Content-Type that it ever sees.
 */
export function jsonBody(limit: string): RequestHandler {
  const parse = express.json({ limit, strict: false, type: () => true });
  return (req, res, next) => {
    const context = contextOf(res);
    const mediaType = (req.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
    if (mediaType === "application/json") {
      const charset = /;\s*charset="?([^";\s]+)/i.exec(req.headers["content-type"] ?? "")?.[1];
      if (charset !== undefined && !/^utf-?8$/i.test(charset))
        context.bodyFault = "The body must be JSON in UTF-8.";
    } else {
      context.bodyFault = "The body must be JSON, with Content-Type: application/json.";
    }
    req.headers["content-type"] = "application/json";
    if (context.bodyFault !== undefined) return next();
    parse(req, res, (fault?: unknown) => {
      if (fault !== undefined) context.bodyFault = describe(fault, limit);
      else if (!isObject(req.body)) context.bodyFault = "The body must be a JSON object.";
      next();
    });
  };
}

function describe(fault: unknown, limit: string): string {
  const { type } = fault as { type?: string };
  if (type === "entity.too.large") return `The body is larger than ${limit}.`;
  return "The body is not readable as JSON in UTF-8.";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
