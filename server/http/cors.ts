import type { RequestHandler } from "express";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const MAX_AGE_SECONDS = 600;

/**
 * Lets pages of these origins call, and read the answer with the named headers. A page's browser asks before it sends a key:
 * that is answered here, for any path, and without a key.
 */
export function allowOrigins(origins: readonly string[], exposedHeaders: readonly string[]): RequestHandler {
  return (req, res, next) => {
    res.vary("Origin");
    const origin = req.get("origin");
    if (origin === undefined || !origins.includes(origin)) return next();
    res.set("Access-Control-Allow-Origin", origin);
    res.set("Access-Control-Expose-Headers", exposedHeaders.join(", "));
    if (req.method !== "OPTIONS" || req.get("access-control-request-method") === undefined) return next();
    const headers = req.get("access-control-request-headers");
    if (headers !== undefined) res.set("Access-Control-Allow-Headers", headers);
    res.set({
      "Access-Control-Allow-Methods": METHODS,
      "Access-Control-Max-Age": String(MAX_AGE_SECONDS),
      Vary: "Origin, Access-Control-Request-Headers",
    });
    res.status(204).end();
  };
}
