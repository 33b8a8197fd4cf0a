import type { TokenUsage } from "../../calls/token-usage.ts";
import type { Behaviour } from "./behaviour.ts";
import type { Reply, ReplyBlock } from "./reply.ts";
import { countsTold, type ToldUsage, toldAtTheBeginning, toldAtTheEnd } from "./told-usage.ts";

/** The vendor's error types by status; others are `invalid_request_error` below 500 and `api_error` from there on. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** The body of an error. */
export function errorBody(status: number, message: string, requestId: string): unknown {
  const type = ERROR_TYPES[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return { type: "error", error: { type, message }, request_id: requestId };
}

/** The body of an answer that is not streamed. */
export function messageBody(reply: Reply, { kind }: Behaviour): unknown {
  const { blocks, stopReason } = reply;
  const message = { ...messageHead(reply), content: blocks.map(wholeBlock), stop_reason: stopReason };
  return kind === "sim-no-usage" ? message : { ...message, usage: toldWhole(reply, kind) };
}

/** One event of a stream, and what it tells about the call. */
export interface StreamEvent {
  readonly name: string;
  readonly data: unknown;
  /** UTF-8 bytes of content in it. */
  readonly contentBytes?: number;
  /** The usage that it tells. */
  readonly usage?: TokenUsage;
  /** The same in the vendor's words, with what is told beside the tokens. */
  readonly told?: ToldUsage;
  /** Whether that usage is the final one. */
  readonly isFinal?: boolean;
}

/** All events of an answer in their order. */
export function* eventsOf(reply: Reply, { kind, number }: Behaviour): Generator<StreamEvent> {
  const { blocks, usage, stopReason } = reply;
  const beginning = toldAtTheBeginning(reply.told);
  // The vendor's first count of output is no count of what follows.
  const first = { ...usage, outputTokens: Math.min(1, usage.outputTokens) };
  yield event(
    "message_start",
    { message: { ...messageHead(reply), usage: beginning } },
    { usage: first, told: beginning },
  );
  let pieces = 0;
  for (const [index, block] of blocks.entries()) {
    yield event("content_block_start", { index, content_block: emptyBlock(block) });
    if (index === 0) yield event("ping", {});
    for (const piece of block.pieces) {
      pieces += 1;
      const contentBytes = Buffer.byteLength(piece);
      yield event("content_block_delta", { index, delta: deltaOf(block, piece) }, { contentBytes });
      if (kind === "sim-deltas" && pieces % number === 0)
        yield usageSoFar({ ...usage, outputTokens: pieces });
    }
    yield event("content_block_stop", { index });
  }
  const end = { delta: { stop_reason: stopReason, stop_sequence: null } };
  const said = reportedUsage(usage, kind);
  if (kind === "sim-no-usage") yield event("message_delta", end);
  else {
    const told = kind === "sim-null-usage" ? nullUsage(usage) : toldAtTheEnd(toldWhole(reply, kind));
    yield event("message_delta", { ...end, usage: told }, { usage: said, told, isFinal: true });
  }
  yield event("message_stop", {});
}

/** An error within a stream. */
export function errorEvent(requestId: string): StreamEvent {
  const { error } = errorBody(529, "Overloaded", requestId) as { error: unknown };
  return event("error", { error, request_id: requestId });
}

/** An event as it is sent. */
export function printEvent({ name, data }: StreamEvent): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function event(name: string, data: object, facts: Omit<StreamEvent, "name" | "data"> = {}): StreamEvent {
  return { name, data: { type: name, ...data }, ...facts };
}

function usageSoFar(usage: TokenUsage): StreamEvent {
  const delta = { stop_reason: null, stop_sequence: null };
  const told = countsTold(usage);
  return event("message_delta", { delta, usage: told }, { usage, told });
}

function messageHead({ id, model }: Reply) {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [] as unknown[],
    stop_reason: null as string | null,
    stop_sequence: null,
  };
}

function wholeBlock(block: ReplyBlock): unknown {
  if (block.type === "server") return block.block;
  if (block.type === "text") return { type: "text", text: block.pieces.join("") };
  const { type, id, name, input } = block;
  return { type, id, name, input };
}

function emptyBlock(block: ReplyBlock): unknown {
  if (block.type === "server") return block.block;
  if (block.type === "text") return { type: "text", text: "" };
  const { type, id, name } = block;
  return { type, id, name, input: {} };
}

function deltaOf({ type }: ReplyBlock, piece: string): unknown {
  if (type === "text") return { type: "text_delta", text: piece };
  return { type: "input_json_delta", partial_json: piece };
}

/** What an answer says was used, whatever it was. */
export function reportedUsage(usage: TokenUsage, kind: Behaviour["kind"]): TokenUsage {
  if (kind !== "sim-zero-usage") return usage;
  return { inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0 };
}

/** What an answer tells of its usage as a whole. */
export function toldWhole({ told, usage }: Reply, kind: Behaviour["kind"]): ToldUsage {
  return kind === "sim-zero-usage" ? countsTold(reportedUsage(usage, kind)) : told;
}

/** Nulls say nothing, so what `message_start` said holds. */
function nullUsage({ outputTokens }: TokenUsage) {
  return {
    input_tokens: null,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    output_tokens: outputTokens,
  };
}
