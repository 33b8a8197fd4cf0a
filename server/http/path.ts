import type { RequestHandler } from "express";
import { contextOf } from "./request-context.ts";
import { isWellFormedText } from "./text.ts";

const REPLACEMENT = "%EF%BF%BD";
const ESCAPES = /(?:%[0-9A-Fa-f]{2})+|%/g;

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Turns a target in absolute form, which every server has to understand, into the path that requests have otherwise. */
export const originForm: RequestHandler = (req, _res, next) => {
  if (ORIGIN.test(req.url)) {
    const path = req.url.replace(ORIGIN, "");
    req.url = path.startsWith("/") ? path : `/${path}`;
    req.originalUrl = req.url;
  }
  next();
};

/**
 * Makes every path decodable, so that the request takes the ordinary way (authentication first) and is refused at its
 * end: escapes that cannot be decoded become the replacement character, which no id of ours has.
 */
export const makePathDecodable: RequestHandler = (req, res, next) => {
  if (!req.url.includes("%")) return next();
  const [path = "", ...query] = req.url.split("?");
  const repaired = path.replace(ESCAPES, (escapes) => (decodesToText(escapes) ? escapes : REPLACEMENT));
  if (repaired !== path) {
    contextOf(res).pathFault = "The path has percent-encoding that does not decode to text.";
    req.url = [repaired, ...query].join("?");
    req.originalUrl = req.url;
  }
  next();
};

/** Reads a path as the interface means it, where it takes several ways of writing one. */
export function readPath(toOwnPath: (path: string) => string): RequestHandler {
  return (req, _res, next) => {
    const { url } = req;
    const queryStart = url.indexOf("?");
    const path = queryStart === -1 ? url : url.slice(0, queryStart);
    const own = toOwnPath(path);
    if (own !== path) {
      req.url = own + url.slice(path.length);
      req.originalUrl = req.url;
    }
    next();
  };
}

function decodesToText(escapes: string): boolean {
  try {
    return isWellFormedText(decodeURIComponent(escapes));
  } catch {
    return false;
  }
}
