import { createParser, type EventSourceMessage, type EventSourceParser } from "eventsource-parser";
import { NO_TOKENS, type TokenUsage } from "../calls/token-usage.ts";
import { countOf, tellsTokens, withReported } from "./reported-usage.ts";

/** What is known of the tokens of an answer. */
export interface SeenUsage {
  readonly usage: TokenUsage;
  /** Whether some of it is our own estimate. */
  readonly estimated: boolean;
}

/** What of a stream's events is looked at. */
interface StreamEvent {
  readonly type?: unknown;
  readonly message?: { readonly usage?: unknown } | null;
  readonly usage?: unknown;
  readonly delta?: { readonly text?: unknown; readonly partial_json?: unknown; readonly thinking?: unknown };
  readonly error?: { readonly type?: unknown } | null;
}

/** An event that is longer says nothing about usage; only so much of it is kept. */
const MAX_LINE_BYTES = 64 * 1024;
/** Events of many lines, which no upstream is known to send, are dropped beyond this. */
const MAX_EVENT_BYTES = 4 * MAX_LINE_BYTES;
/** Events that hold neither usage nor output. */
const IDLE_EVENTS = new Set(["ping", "content_block_start", "content_block_stop"]);
/** A piece of text or thinking as it is nearly always written, with nothing escaped in it; others are parsed. */
const PLAIN_DELTA =
  /^\{"type":"content_block_delta","index":\d+,"delta":\{"type":"(?:text_delta","text|thinking_delta","thinking)":"([^"\\]*)"\s*\}\s*\}$/;
const BYTES_PER_TOKEN = 4;
/**
 * The usage that a message tells, as JSON; null when it is no JSON or tells none. What it tells and cannot be read is as in a
 * stream: the charge is for what is known, with an estimate of the output, and names it.
 */
export function readAnswerUsage(body: Buffer): SeenUsage | null {
  const message = parse(body.toString()) as AnsweredMessage | null;
  const reported =
    message !== null && tellsTokens(message.usage) ? withReported(NO_TOKENS, message.usage) : null;
  if (message === null || reported === null) return null;
  if (countOf(message.usage, "output_tokens") !== null) return { usage: reported, estimated: false };
  const outputTokens = Math.ceil(outputBytesOf(message.content) / BYTES_PER_TOKEN);
  return { usage: { ...reported, outputTokens }, estimated: true };
}

/** A message that is one JSON value. */
interface AnsweredMessage {
  readonly usage?: unknown;
  readonly content?: unknown;
}

function outputBytesOf(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  return content.reduce<number>((sum, block) => {
    const text =
      block?.text ?? block?.thinking ?? (block?.input === undefined ? "" : JSON.stringify(block.input));
    return sum + (typeof text === "string" ? Buffer.byteLength(text) : 0);
  }, 0);
}

/**
 * Reads along with a stream of events and knows at any time the usage so far. It keeps no more than a part of the event
 * that is being sent, whatever the stream sends and however it is cut into pieces.
 *
 * Usage in `message_start` and in each `message_delta` takes the place of what was told before, counter by counter; a
 * counter that is absent or null leaves what was there. Output that came after the last count of output tokens, as in a
 * stream that is cut, is estimated at one token for every 4 bytes (UTF-8) of text, thinking and tool input.
 */
export class StreamReader {
  /** Whether `message_start` has been seen: from there on the answer costs something. */
  started = false;
  /** Whether `message_stop` has been seen. */
  complete = false;
  /** The type of the error that the stream has told, such as `overloaded_error`. */
  errorType: string | null = null;

  readonly #parser: EventSourceParser;
  readonly #onUsage: () => void;
  #overflowed = false;
  #lineBytes = 0;
  /** What was left out of the event that is being sent. */
  #skippedBytes = 0;
  #reported: TokenUsage = NO_TOKENS;
  /** Output tokens that were told for content before `#uncountedBytes`. */
  #countedTokens = 0;
  /** Output since then. */
  #uncountedBytes = 0;

  /** @param onUsage called when an event has told usage. */
  constructor(onUsage: () => void = () => {}) {
    this.#onUsage = onUsage;
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_BYTES,
      onEvent: (event) => this.#read(event),
      onError: ({ type }) => {
        if (type === "max-buffer-size-exceeded") this.#overflowed = true;
      },
    });
  }

  /** Takes the next bytes of the stream. */
  feed(chunk: Buffer): void {
    // As Latin-1 every byte is one character, so that nothing depends on where characters are cut. Names and numbers,
    // which are all that is read, are ASCII.
    const text = chunk.toString("latin1");
    if (this.#lineBytes + text.length > MAX_LINE_BYTES) this.#feedLineByLine(text);
    else this.#feedAtOnce(text);
  }

  /** What the answer has come to; null before `message_start`. */
  seen(): SeenUsage | null {
    if (!this.started) return null;
    const guess = this.#countedTokens + Math.ceil(this.#uncountedBytes / BYTES_PER_TOKEN);
    if (guess <= this.#reported.outputTokens) return { usage: this.#reported, estimated: false };
    return { usage: { ...this.#reported, outputTokens: guess }, estimated: true };
  }

  #feedAtOnce(text: string): void {
    const lastBreak = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
    this.#lineBytes = lastBreak < 0 ? this.#lineBytes + text.length : text.length - lastBreak - 1;
    this.#parse(text);
  }

  #feedLineByLine(text: string): void {
    const endOfLine = lineEnds(text);
    for (let start = 0, end = 0; start < text.length; start = end + 1) {
      end = endOfLine(start);
      const room = Math.min(end - start, MAX_LINE_BYTES - this.#lineBytes);
      this.#skippedBytes += end - start - room;
      this.#parse(text.slice(start, start + room) + text.slice(end, end + 1));
      this.#lineBytes = end < text.length ? 0 : this.#lineBytes + room;
    }
  }

  #parse(text: string): void {
    this.#parser.feed(text);
    if (!this.#overflowed) return;
    this.#parser.reset();
    this.#overflowed = false;
  }

  #read({ event: name = "", data }: EventSourceMessage): void {
    const skippedBytes = this.#skippedBytes;
    this.#skippedBytes = 0;
    if (IDLE_EVENTS.has(name)) return;
    const plain = PLAIN_DELTA.exec(data);
    if (plain !== null && skippedBytes === 0) {
      this.#uncountedBytes += (plain[1] ?? "").length;
      return;
    }
    const event = skippedBytes === 0 ? parse(data) : null;
    if (event === null) {
      if (name === "content_block_delta") this.#uncountedBytes += data.length + skippedBytes;
      return;
    }
    switch (event.type) {
      case "message_start":
        this.started = true;
        this.#reported = withReported(this.#reported, event.message?.usage) ?? this.#reported;
        this.#onUsage();
        return;
      case "content_block_delta":
        this.#uncountedBytes += outputBytes(event.delta);
        return;
      case "message_delta":
        this.#readFinalUsage(event.usage);
        return;
      case "message_stop":
        this.complete = true;
        return;
      case "error":
        this.errorType = typeof event.error?.type === "string" ? event.error.type : "api_error";
    }
  }

  #readFinalUsage(usage: unknown): void {
    this.#reported = withReported(this.#reported, usage) ?? this.#reported;
    if (countOf(usage, "output_tokens") !== null) {
      this.#countedTokens = this.#reported.outputTokens;
      this.#uncountedBytes = 0;
    }
    this.#onUsage();
  }
}

function outputBytes(delta: StreamEvent["delta"]): number {
  const output = delta?.text ?? delta?.partial_json ?? delta?.thinking;
  return typeof output === "string" ? output.length : 0;
}

function parse(text: string): StreamEvent | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}

/** Tells where the line ends that holds a place, for places that follow each other; each is looked for once, not by patterns. */
function lineEnds(text: string): (start: number) => number {
  const next = { "\n": -1, "\r": -1 };
  const find = (lineBreak: keyof typeof next, start: number) => {
    if (next[lineBreak] < start) {
      const found = text.indexOf(lineBreak, start);
      next[lineBreak] = found < 0 ? text.length : found;
    }
    return next[lineBreak];
  };
  return (start) => Math.min(find("\n", start), find("\r", start));
}
