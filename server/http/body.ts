import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { TextDecoder } from "node:util";
import express, { type Request, type Response } from "express";
import { JSON_MEDIA_TYPE } from "./answer.ts";
import type { Operation } from "./document.ts";
import { BadRequestError } from "./errors.ts";
import { findRepeatedField } from "./repeated-field.ts";
import { contextOf, type RequestContext } from "./request-context.ts";

/** A number of bytes as people write it. */
export type Size = `${number}${keyof typeof UNITS}`;

/** The most bytes of a body. */
export interface BodyLimits {
  readonly json: Size;
  /** Of all that is no JSON, which is never held as a whole; the same as JSON when not given. */
  readonly text?: Size;
}

/** How the body of one operation is taken. */
export interface BodyReader {
  /**
   * Reduces the media type to its bare form, because the validator keeps a compiled validator for every distinct
   * Content-Type that it ever sees. That it is none of the operation's is noted, not answered: whether the caller may call
   * at all is said first.
   */
  announce(req: Request, context: RequestContext): void;
  /** Reads the body, or makes it ready to be read. A fault is noted in the request's context; it never rejects. */
  read(req: Request, res: Response): Promise<void>;
}

const UNITS = { kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 } as const;
const NOTHING_TO_READ = Promise.resolve();

/**
 * Makes the reader of an operation's bodies. JSON is parsed, unpacked where it is compressed; any other media type is
 * handed on as a stream of text.
 * @param keepsBytes whether the bytes of JSON are kept beside what they say
 */
export function createBodyReader(
  { body }: Operation,
  limits: BodyLimits,
  { keepsBytes }: { keepsBytes: boolean },
): BodyReader {
  if (body === null) return NO_BODY;
  const { mediaTypes, required } = body;
  const [usualType = JSON_MEDIA_TYPE] = mediaTypes;
  const readJson = jsonReader(limits.json, keepsBytes);
  const textLimit = limits.text ?? limits.json;
  return {
    announce(req, context) {
      const given = req.headers["content-type"] ?? "";
      if (!required && given === "" && isEmpty(req)) return;
      const [mediaType = "", ...parameters] = given.toLowerCase().split(";");
      const isKnown = mediaTypes.includes(mediaType.trim());
      req.headers["content-type"] = isKnown ? mediaType.trim() : usualType;
      const fault = isKnown ? charsetFault(parameters, mediaType.trim()) : mediaTypeFault(mediaTypes);
      if (fault !== undefined) context.bodyFault = fault;
    },
    read(req, res) {
      const context = contextOf(res);
      const mediaType = req.headers["content-type"];
      if (mediaType === undefined || context.bodyFault !== undefined) return NOTHING_TO_READ;
      if (mediaType === JSON_MEDIA_TYPE) return readJson(req, res);
      const fault = textFault(req, textLimit);
      if (fault === undefined) context.bodyText = textOf(req, textLimit);
      else context.bodyFault = fault;
      return NOTHING_TO_READ;
    },
  };
}

const NO_BODY: BodyReader = {
  announce(req) {
    delete req.headers["content-type"];
  },
  read: () => NOTHING_TO_READ,
};

function jsonReader(limit: Size, keepsBytes: boolean): (req: Request, res: Response) => Promise<void> {
  const verify = (_req: unknown, res: unknown, body: Buffer): void => {
    refuseNonUtf8(body);
    contextOf(res as Response).bodyBytes = body;
  };
  const parse = express.json({ limit, strict: false, type: () => true, verify });
  return async (req, res) => {
    const context = contextOf(res);
    const error = await new Promise<unknown>((resolve) => parse(req, res, resolve));
    if (error !== undefined) context.bodyFault = describe(error, limit);
    else if (!isObject(req.body)) context.bodyFault = "The body must be a JSON object.";
    else refuseRepeatedField(req, context);
    if (!keepsBytes) delete context.bodyBytes;
    // It tells how the bytes came, which is not how they are any more.
    delete req.headers["content-encoding"];
  };
}

function textFault({ headers }: IncomingMessage, limit: Size): string | undefined {
  if (headers["content-encoding"] !== undefined) return "The body must not be compressed.";
  return Number(headers["content-length"] ?? 0) > bytesOf(limit) ? tooLarge(limit) : undefined;
}

/**
 * The text of a body while it comes, no faster than it is read.
 * @throws {BadRequestError} it is larger than the limit, not UTF-8, or breaks off.
 */
async function* textOf(req: IncomingMessage, limit: Size): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const mostBytes = bytesOf(limit);
  let bytes = 0;
  for await (const chunk of piecesOf(req)) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new BadRequestError(tooLarge(limit));
    yield decode(decoder, chunk);
  }
  yield decode(decoder);
}

// A handler that leaves off reading would otherwise close the connection, and with it the way back for its answer.
async function* piecesOf(req: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* req.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw req.readableEnded ? error : new BadRequestError("The body broke off.");
  }
}

function decode(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new BadRequestError("The body is not UTF-8.");
  }
}

function tooLarge(limit: Size): string {
  return `The body is larger than ${limit}.`;
}

function bytesOf(limit: Size): number {
  return Number.parseInt(limit, 10) * UNITS[limit.slice(-2) as keyof typeof UNITS];
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
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
function refuseNonUtf8(body: Buffer): void {
  if (body.length === 0 || !isUtf8(body)) throw new Error("The body is empty or not UTF-8.");
}

function mediaTypeFault(mediaTypes: readonly string[]): string {
  if (mediaTypes.join() === JSON_MEDIA_TYPE)
    return "The body must be JSON, with Content-Type: application/json.";
  return `The body must have one of these as its Content-Type: ${mediaTypes.join(", ")}.`;
}

function charsetFault(parameters: readonly string[], mediaType: string): string | undefined {
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith("charset="));
  if (charset === undefined || /^charset="?utf-?8"?$/.test(charset)) return undefined;
  return mediaType === JSON_MEDIA_TYPE ? "The body must be JSON in UTF-8." : "The body must be in UTF-8.";
}

function describe(fault: unknown, limit: Size): string {
  const { type } = fault as { type?: string };
  if (type === "entity.too.large") return tooLarge(limit);
  return "The body is not readable as JSON in UTF-8.";
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
