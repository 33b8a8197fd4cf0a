import type { IncomingMessage } from "node:http";
import { TextDecoder } from "node:util";
import type { Request, Response } from "express";
import { JSON_MEDIA_TYPE } from "./answer.ts";
import type { BodyBytes, BodyJudge } from "./body-judge.ts";
import type { BodyMemory } from "./body-memory.ts";
import type { Operation } from "./document.ts";
import { BadRequestError } from "./errors.ts";
import { declaredLength, type EarlyField, piecesOf, readJsonBody, tooLarge } from "./json-body.ts";
import { contextOf, type RequestContext } from "./request-context.ts";
import { expectsContinue } from "./unread-body.ts";

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
  /**
   * Reads the body, or makes it ready to be read. A fault of its own is noted in the request's context.
   * @throws {BusyError} and what `admitLargeBody` and `earlyField` throw
   */
  read(req: Request, res: Response): Promise<void>;
}

/** What reading the bodies of an operation depends on. */
export interface BodyReaderOptions {
  /** Whether the bytes of JSON are kept beside what they say. */
  readonly keepsBytes: boolean;
  readonly memory: BodyMemory;
  /** Asked before a large JSON body is read; throws what it is refused with. */
  readonly admitLargeBody?: ((principal: unknown) => Promise<void>) | undefined;
  /** Judges bodies that hold many values; without it they are parsed as others are. */
  readonly judge?: BodyJudge | undefined;
  /** Looked at before a body is judged by `judge`. */
  readonly earlyField?: EarlyField | undefined;
  /** The path as the document writes it. */
  readonly documentedPath: string;
}

const UNITS = { kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 } as const;
const NOTHING_TO_READ = Promise.resolve();

/**
 * Makes the reader of an operation's bodies. JSON is parsed; any other media type is handed on as a stream of text.
 * Compressed bodies are refused: some thousand bytes of them can hold as much as the largest body may.
 */
export function createBodyReader(
  { body }: Operation,
  limits: BodyLimits,
  options: BodyReaderOptions,
): BodyReader {
  if (body === null) return NO_BODY;
  const { mediaTypes, required } = body;
  const [usualType = JSON_MEDIA_TYPE] = mediaTypes;
  const jsonLimitBytes = bytesOf(limits.json);
  const textLimitBytes = bytesOf(limits.text ?? limits.json);
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
    async read(req, res) {
      const context = contextOf(res);
      const mediaType = req.headers["content-type"];
      if (mediaType === undefined || context.bodyFault !== undefined) return;
      const isJson = mediaType === JSON_MEDIA_TYPE;
      const limitBytes = isJson ? jsonLimitBytes : textLimitBytes;
      const fault = faultBeforeReading(req, limitBytes);
      if (fault !== undefined) {
        context.bodyFault = fault;
        return;
      }
      if (expectsContinue(req)) res.writeContinue();
      if (isJson) await readJson(req, res, limitBytes, options);
      else context.bodyText = textOf(req, limitBytes);
    },
  };
}

const NO_BODY: BodyReader = {
  announce(req) {
    delete req.headers["content-type"];
  },
  read: () => NOTHING_TO_READ,
};

async function readJson(
  req: Request,
  res: Response,
  limitBytes: number,
  { keepsBytes, memory, admitLargeBody, judge, earlyField, documentedPath }: BodyReaderOptions,
): Promise<void> {
  const context = contextOf(res);
  const { account = "" } = context;
  const lease = memory.lease(account);
  res.once("close", lease.release);
  const beforeLarge = async () => admitLargeBody?.(context.principal);
  const inThread = (judge: BodyJudge) => (body: BodyBytes) => {
    const { method, originalUrl, headers } = req;
    const gone = new AbortController();
    res.once("close", () => gone.abort(new BadRequestError("The body broke off.")));
    const request = { documentedPath, method, originalUrl, headers, account };
    return judge.judge(request, body, gone.signal);
  };
  try {
    const judging = { judge: judge && inThread(judge), earlyField };
    const { body, judgement } = await readJsonBody(req, {
      limitBytes,
      keepsBytes,
      lease,
      beforeLarge,
      ...judging,
    });
    if (judgement !== undefined) context.judgement = judgement;
    req.body = body.json;
    if (keepsBytes) context.body = body;
  } catch (error) {
    lease.release();
    if (!(error instanceof BadRequestError)) throw error;
    context.bodyFault = error.message;
  }
}

/** What is wrong with a body as far as its headers tell. */
function faultBeforeReading(req: IncomingMessage, limitBytes: number): string | undefined {
  const { "content-encoding": encoding = "identity" } = req.headers;
  if (encoding.toLowerCase() !== "identity") return "The body must not be compressed.";
  return (declaredLength(req) ?? 0) > limitBytes ? tooLarge(limitBytes) : undefined;
}

/**
 * The text of a body while it comes, no faster than it is read.
 * @throws {BadRequestError} it is larger than the limit, not UTF-8, or breaks off.
 */
async function* textOf(req: IncomingMessage, limitBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  for await (const chunk of piecesOf(req)) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw new BadRequestError(tooLarge(limitBytes));
    yield decode(decoder, chunk);
  }
  yield decode(decoder);
}

function decode(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new BadRequestError("The body is not UTF-8.");
  }
}

function bytesOf(limit: Size): number {
  return Number.parseInt(limit, 10) * UNITS[limit.slice(-2) as keyof typeof UNITS];
}

function isEmpty({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
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
