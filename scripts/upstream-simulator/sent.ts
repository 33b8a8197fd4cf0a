import type { IncomingHttpHeaders } from "node:http";

/** Tokens of a call by kind, as the vendor counts them: input tokens are those that no cache has to do with. */
export interface SimulatedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheReadTokens: number;
}

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
  /** The body byte for byte; empty when the answer did not wait for it. */
  readonly body: Buffer;
  /** Of the body; null when it names none. */
  readonly model: string | null;
  readonly stream: boolean;
  /** Null: no head was sent. */
  readonly status: number | null;
  /** Events that were sent whole, comments and `event: error` included. */
  readonly events: number;
  /** UTF-8 bytes of the text, and of the tools' input, that was sent as content. */
  readonly contentBytes: number;
  /** What the last usage that was sent says: of the JSON body, of `message_start`, or of a `message_delta`. */
  readonly usage: SimulatedUsage | null;
  /** Whether that usage was the final one, so that it covers all of the content. */
  readonly usageIsFinal: boolean;
  readonly end: SentEnd;
}
