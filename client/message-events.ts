import type { components } from "../generated/proxy/types.ts";
import type { ProxyErrorType } from "./proxy-errors.ts";

type Schemas = components["schemas"];

/** A block of a message's content. */
export type ContentBlock = Schemas["ContentBlock"];

/** What is added to a block; those not named here come from newer upstreams. */
export type ContentDelta =
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "input_json_delta"; readonly partial_json: string }
  | { readonly type: "thinking_delta"; readonly thinking: string }
  | { readonly type: "signature_delta"; readonly signature: string }
  | { readonly type: "citations_delta"; readonly citation: unknown };

/** Tokens so far; what is null or absent is not told. */
export type PartialUsage = {
  readonly [Kind in keyof Schemas["TokenUsage"]]?: Schemas["TokenUsage"][Kind] | null;
};

/** An event of a streamed message, in the order in which they come. `other` is one of a kind that is not known here. */
export type MessageEvent =
  | { readonly type: "message_start"; readonly message: Schemas["Message"] }
  | { readonly type: "content_block_start"; readonly index: number; readonly content_block: ContentBlock }
  | { readonly type: "content_block_delta"; readonly index: number; readonly delta: ContentDelta }
  | { readonly type: "content_block_stop"; readonly index: number }
  | {
      readonly type: "message_delta";
      readonly delta: { readonly stop_reason?: string | null; readonly stop_sequence?: string | null };
      readonly usage?: PartialUsage;
    }
  | { readonly type: "message_stop" }
  | { readonly type: "ping" }
  | { readonly type: "other"; readonly event: string; readonly data: unknown };

const KNOWN = new Set<string>([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
] satisfies MessageEvent["type"][]);

/**
 * A stream did not come to its end: the service said so (`type` tells why), or it broke off (`type` is null). What had
 * come was paid for.
 */
export class MessageStreamError extends Error {
  readonly type: ProxyErrorType | null;

  constructor(message: string, type: ProxyErrorType | null = null, options: ErrorOptions = {}) {
    super(message, options);
    this.name = "MessageStreamError";
    this.type = type;
  }
}

/** Reads an event's data. @throws {MessageStreamError} when it is no JSON object. */
export function readEvent(event: string, text: string): MessageEvent {
  const data = parse(text);
  return KNOWN.has(event) ? ({ ...data, type: event } as MessageEvent) : { type: "other", event, data };
}

/** The data of an event. @throws {MessageStreamError} when it is no JSON object. */
export function parse(text: string): object {
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === "object" && data !== null) return data;
  } catch {
    // The parser's own error shows part of the message.
    throw new MessageStreamError("An event of the stream is no JSON.");
  }
  throw new MessageStreamError("An event of the stream is no JSON object.");
}
