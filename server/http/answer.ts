import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";

/** The media type whose values handlers take and give as values; all others are text. */
export const JSON_MEDIA_TYPE = "application/json";

/** Text that is passed on piece by piece, no faster than its reader takes it. */
export type StreamedText = AsyncIterable<string>;

declare const answers: unique symbol;

/** An answer to an operation, made by the `answer` that its handler is given. */
export interface Answer<Operation> {
  readonly [answers]: Operation;
}

type Responses<Operation> = Operation extends { responses: infer All } ? All : never;

type SuccessAmong<Status> = Status extends number
  ? `${Status}` extends `2${string}` | `3${string}`
    ? Status
    : never
  : never;

/** The documented statuses that are no errors. */
type Success<Operation> = SuccessAmong<keyof Responses<Operation>>;

type Content<Response> = Response extends { content: infer All } ? All : never;

/** JSON is given as a value, any other media type as text, whole or piece by piece. */
type BodyOf<MediaType, Schema> = MediaType extends "application/json" ? Schema : string | StreamedText;

/** The headers that the document names; it also lets any other pass, which answers of ours do not have. */
type Headers<Response, CommonHeader> = Response extends { headers: infer All }
  ? {
      [Name in keyof All as string extends Name
        ? never
        : Name extends CommonHeader
          ? never
          : Name]: All[Name];
    }
  : object;

type HeaderArguments<Given> = object extends Given ? [headers?: Given] : [headers: Given];

type IsUnion<Type, Whole = Type> = Type extends Whole ? ([Whole] extends [Type] ? false : true) : never;

/** An answer that has several media types says by its Content-Type which it is. */
type AnswerArguments<Response, CommonHeader> = [Content<Response>] extends [never]
  ? [body?: undefined, ...HeaderArguments<Headers<Response, CommonHeader>>]
  : {
      [MediaType in keyof Content<Response>]: [
        body: BodyOf<MediaType, Content<Response>[MediaType]>,
        ...HeaderArguments<
          Headers<Response, CommonHeader> &
            (true extends IsUnion<keyof Content<Response>> ? { readonly "Content-Type": MediaType } : unknown)
        >,
      ];
    }[keyof Content<Response>];

/** Makes an answer; a status, a body or a header that the document lacks does not compile. */
export type AnswerFunction<Operation, CommonHeader> = <Status extends Success<Operation>>(
  status: Status,
  ...rest: AnswerArguments<Responses<Operation>[Status], CommonHeader>
) => Answer<Operation>;

type PlainBodyAmong<Arguments extends readonly unknown[]> = 1 extends Arguments["length"]
  ? Arguments[0]
  : never;

/** What may be returned as it is: the body of a 200 that is the only success, where it needs no headers. */
export type PlainBody<Operation, CommonHeader> = [Success<Operation>] extends [200]
  ? PlainBodyAmong<AnswerArguments<Responses<Operation>[Success<Operation>], CommonHeader>>
  : never;

type HeaderValues = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** An answer as the engine knows it. */
export class MadeAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: HeaderValues;

  constructor(status: number, body: unknown, headers: HeaderValues) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The `answer` of every handler: the compiler has seen to its arguments by the handler's own type of it. */
export function makeAnswer(status: number, body?: unknown, headers: HeaderValues = {}): MadeAnswer {
  return new MadeAnswer(status, body, headers);
}

/**
 * Sends an answer; resolves when it is written, or when its caller has left.
 * @param mediaType the first that the document has for its status; undefined when there is no body
 * @throws what a streamed body throws; nothing is sent before its first piece
 */
export async function sendAnswer(
  res: Response,
  { status, body, headers }: MadeAnswer,
  mediaType: string | undefined,
): Promise<void> {
  const contentType = headers["Content-Type"] ?? mediaType;
  if (contentType === undefined) {
    writeHead(res, status, headers);
    res.end();
  } else if (contentType === JSON_MEDIA_TYPE) {
    writeHead(res, status, headers);
    res.json(body);
  } else if (typeof body === "string") {
    const length = Buffer.byteLength(body);
    writeHead(res, status, { ...headers, "Content-Type": contentType, "Content-Length": length });
    res.end(body);
  } else {
    await streamText(res, body as StreamedText, () =>
      writeHead(res, status, { ...headers, "Content-Type": contentType }),
    );
  }
}

/** The first piece is waited for before the head is written, so that a failure until then is an answer like others. */
async function streamText(res: Response, text: StreamedText, begin: () => void): Promise<void> {
  const source = Readable.from(text);
  const left = new AbortController();
  // Beside the engine's own, a pipeline has several.
  res.setMaxListeners(2 * res.getMaxListeners());
  res.once("close", () => {
    if (source.errored === null) left.abort();
  });
  try {
    await once(source, "readable", { signal: left.signal });
    begin();
    await pipeline(source, res);
  } catch (error) {
    source.destroy();
    if (!left.signal.aborted) throw error;
  }
}

function writeHead(res: Response, status: number, headers: HeaderValues): void {
  res.status(status);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) res.setHeader(name, typeof value === "object" ? [...value] : String(value));
  }
}
