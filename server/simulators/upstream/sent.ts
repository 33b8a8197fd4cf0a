import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { TokenUsage } from "../../calls/token-usage.ts";
import type { ToldUsage } from "./told-usage.ts";

/**
 * How the answer to a request ended: `sending` while it goes on, `complete`, `cut` by the simulator, or `client_gone`
 * when the other side hung up before its end.
 */
export type SentEnd = "sending" | "complete" | "cut" | "client_gone";

/** One request and what was really sent to it so far. */
export interface SentAnswer {
  /** The answer's `request-id` header. */
  readonly requestId: string;
  readonly method: string;
  /** The path with its query, as it came. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body byte for byte; empty until it was read. */
  readonly body: Buffer;
  /** Of the body; null when it names none. */
  readonly model: string | null;
  readonly stream: boolean;
  /** Null: no head was sent. */
  readonly status: number | null;
  /** Events that were sent whole, `event: error` included. */
  readonly events: number;
  /** UTF-8 bytes of the text, and of the tools' input, that was sent as content. */
  readonly contentBytes: number;
  /** What the last usage that was sent says: of the JSON body, of `message_start`, or of a `message_delta`. */
  readonly usage: TokenUsage | null;
  /** All that the usages say which were sent, in the vendor's words; null: none was. */
  readonly told: ToldUsage | null;
  /** Whether that usage was the final one, so that it covers all of the content. */
  readonly usageIsFinal: boolean;
  readonly end: SentEnd;
}

/** The same while it is being sent. */
export type SendingAnswer = { -readonly [Property in keyof SentAnswer]: SentAnswer[Property] };

/** Notes a request that has come, and from then on how its answer ends. */
export function noteRequest(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): SendingAnswer {
  const sent: SendingAnswer = {
    requestId,
    method: request.method ?? "",
    path: request.url ?? "",
    headers: request.headers,
    body: Buffer.alloc(0),
    model: null,
    stream: false,
    status: null,
    events: 0,
    contentBytes: 0,
    usage: null,
    told: null,
    usageIsFinal: false,
    end: "sending",
  };
  const endAs = (end: SentEnd) => () => {
    if (sent.end === "sending") sent.end = end;
  };
  response.once("finish", endAs("complete"));
  response.once("close", endAs("client_gone"));
  return sent;
}
