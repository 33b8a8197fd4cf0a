import { isUtf8 } from "node:buffer";
import express, { type Request, type RequestHandler, type Response } from "express";
import { findRepeatedField } from "./repeated-field.ts";
import { contextOf, type RequestContext } from "./request-context.ts";

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
 * Reduces the media type to its bare form on every request, because the validator keeps a compiled validator for every
 * distinct Content-Type that it ever sees. That a body is not JSON is noted, not answered: whether the caller may call at
 * all is said first.
 */
export const plainMediaType: RequestHandler = (req, res, next) => {
  const contentType = req.headers["content-type"] ?? "";
  delete req.headers["content-type"];
  if (req.method === "POST") {
    req.headers["content-type"] = "application/json";
    const fault = contentTypeFault(contentType);
    if (fault !== undefined) contextOf(res).bodyFault = fault;
  }
  next();
};

/** How the bodies of an interface are read. */
export interface BodyRules {
  /** The most bytes, such as "64kb". */
  readonly limit: string;
  /** Whether the bytes themselves are kept beside what they say. */
  readonly keepsBytes: boolean;
}

/**
 * Makes a reader of the JSON bodies of POSTs. A fault is noted in the request's context; the reader never rejects. A
 * compressed body is unpacked.
 */
export function bodyReader({ limit, keepsBytes }: BodyRules) {
  const verify = (_req: unknown, res: unknown, body: Buffer): void => {
    refuseWhatIsNoText(body);
    contextOf(res as Response).bodyBytes = body;
  };
  const parse = express.json({ limit, strict: false, type: () => true, verify });
  return async (req: Request, res: Response): Promise<void> => {
    const context = contextOf(res);
    if (req.method !== "POST" || context.bodyFault !== undefined) return;
    const error = await new Promise<unknown>((resolve) => parse(req, res, resolve));
    if (error !== undefined) context.bodyFault = describe(error, limit);
    else if (!isObject(req.body)) context.bodyFault = "The body must be a JSON object.";
    else refuseRepeatedField(req, context);
    if (!keepsBytes) delete context.bodyBytes;
    // It tells how the bytes came, which is not how they are any more.
    delete req.headers["content-encoding"];
  };
}

// The parser takes the last of two, which may not be the one that was meant, nor the one that an upstream takes.
function refuseRepeatedField(req: Request, context: RequestContext): void {
  const name = context.bodyBytes && findRepeatedField(context.bodyBytes);
  if (name === null || name === undefined) return;
  context.bodyFault = `The field ${JSON.stringify(name)} is there twice.`;
  delete req.body;
}

// Left to itself the parser takes an empty body for an empty object, and puts one and the same character in the place of
// every byte that is not UTF-8.
function refuseWhatIsNoText(body: Buffer): void {
  if (body.length === 0 || !isUtf8(body)) throw new Error("The body is empty or not UTF-8.");
}

function contentTypeFault(contentType: string): string | undefined {
  const [mediaType = "", ...parameters] = contentType.toLowerCase().split(";");
  if (mediaType.trim() !== "application/json")
    return "The body must be JSON, with Content-Type: application/json.";
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith("charset="));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
    return "The body must be JSON in UTF-8.";
  return undefined;
}

function describe(fault: unknown, limit: string): string {
  const { type } = fault as { type?: string };
  if (type === "entity.too.large") return `The body is larger than ${limit}.`;
  return "The body is not readable as JSON in UTF-8.";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
