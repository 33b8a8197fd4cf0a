import type { IncomingMessage } from "node:http";
import { EventBuffer } from "./event-buffer.ts";
import type { MessageAnswer } from "./message-answer.ts";
import type { StreamReader } from "./usage-reader.ts";

/** What is done with a stream. */
export interface RelayOptions {
  /** Reads along. */
  readonly reader: StreamReader;
  /** How long the upstream may take from one piece to the next. */
  readonly idleMs: number;
  /** A client that takes nothing for so long is gone. */
  readonly clientStallMs: number;
  /** Breaks the stream off. */
  readonly signal: AbortSignal;
  /** Aborted when the client is gone: what comes then is read and passed on to nobody. */
  readonly client: AbortSignal;
  /** Called once, when the answer begins to cost something: the head is to be written. */
  begin(): void;
}

/** How a stream came to its end. */
export interface RelayEnd {
  /** `aborted` by the signal, or by a client that took nothing more. */
  readonly outcome: "completed" | "upstream_failed" | "aborted";
  /** Whether the client has been sent whole events only. */
  readonly betweenEvents: boolean;
  /** Whether the client had gone before the stream came to its end. */
  readonly clientLeft: boolean;
}

/** Before `message_start`, which comes first, nothing is passed on; what begins with more than that is no such stream. */
const MAX_PREAMBLE_BYTES = 256 * 1024;
/** How long an upstream may take to end a stream that is complete. */
const CLOSING_MS = 1_000;

/**
 * Passes a stream of events on as it comes, no faster than the client reads. Resolves when it has ended or broken, with all
 * whole events passed on. The answer is not ended, and before `message_start` nothing is written at all.
 */
export function relayStream(
  source: IncomingMessage,
  answer: MessageAnswer,
  options: RelayOptions,
): Promise<RelayEnd> {
  return new Promise((resolve, reject) => new Relay(source, answer, options, { resolve, reject }));
}

/** Called once; whatever comes after is of no effect. */
interface Ending {
  resolve(end: RelayEnd): void;
  reject(error: unknown): void;
}

class Relay {
  readonly #source: IncomingMessage;
  readonly #answer: MessageAnswer;
  readonly #options: RelayOptions;
  readonly #ending: Ending;
  readonly #buffer = new EventBuffer();
  /** What has come in this turn. */
  #taken: Buffer[] = [];
  /** What waits for `message_start`; null from there on. */
  #preamble: Buffer[] | null = [];
  #preambleBytes = 0;
  #timer: NodeJS.Timeout;
  /** Whether the client had gone when the stream was complete; null until it is. */
  #leftEarly: boolean | null = null;

  readonly #stall = () => {
    this.#passTaken();
    this.#finish("upstream_failed");
  };
  readonly #abort = () => this.#finish("aborted");
  // What comes in one packet is passed on in one, however many pieces it is sent in.
  readonly #take = (chunk: Buffer) => {
    if (this.#taken.push(chunk) === 1) process.nextTick(this.#passTaken);
  };
  readonly #passTaken = () => {
    const taken = this.#taken;
    if (taken.length === 0) return;
    this.#taken = [];
    try {
      this.#receive(taken.length === 1 ? (taken[0] as Buffer) : Buffer.concat(taken));
    } catch (error) {
      // Thrown into the event it would end the process, and with it all other calls.
      this.#ending.reject(error);
      this.#finish("upstream_failed");
    }
  };
  readonly #resume = () => {
    this.#watch(this.#options.idleMs, this.#stall);
    this.#source.resume();
  };
  readonly #end = () => {
    this.#passTaken();
    if (this.#options.reader.complete) this.#pass(this.#buffer.rest());
    this.#finish("upstream_failed");
  };

  constructor(source: IncomingMessage, answer: MessageAnswer, options: RelayOptions, ending: Ending) {
    this.#source = source;
    this.#answer = answer;
    this.#options = options;
    this.#ending = ending;
    this.#timer = setTimeout(this.#stall, options.idleMs);
    source.on("data", this.#take).on("end", this.#end).on("error", this.#stall);
    answer.onDrain(this.#resume);
    options.signal.addEventListener("abort", this.#abort);
    if (options.signal.aborted) this.#abort();
  }

  #receive(chunk: Buffer): void {
    const { reader, begin } = this.#options;
    this.#timer.refresh();
    reader.feed(chunk);
    if (reader.complete) this.#leftEarly ??= this.#options.client.aborted;
    const bytes = this.#buffer.pass(chunk);
    if (this.#preamble === null) {
      this.#pass(bytes);
    } else {
      this.#preamble.push(bytes);
      this.#preambleBytes += chunk.length;
      if (reader.started) {
        begin();
        const preamble = Buffer.concat(this.#preamble);
        this.#preamble = null;
        this.#pass(preamble);
      } else if (this.#preambleBytes > MAX_PREAMBLE_BYTES) this.#finish("upstream_failed");
    }
    if (reader.complete) this.#watch(CLOSING_MS, this.#stall);
    else if (reader.errorType !== null) this.#finish("upstream_failed");
  }

  #pass(bytes: Buffer): void {
    if (bytes.length === 0 || this.#answer.write(bytes)) return;
    this.#source.pause();
    this.#watch(this.#options.clientStallMs, this.#abort);
  }

  #watch(limitMs: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, limitMs);
  }

  #finish(outcome: RelayEnd["outcome"]): void {
    clearTimeout(this.#timer);
    this.#source.removeListener("data", this.#take).removeListener("end", this.#end);
    this.#answer.offDrain(this.#resume);
    this.#options.signal.removeEventListener("abort", this.#abort);
    this.#source.destroy();
    this.#taken = [];
    const { reader, client } = this.#options;
    this.#ending.resolve({
      outcome: reader.complete ? "completed" : outcome,
      betweenEvents: this.#buffer.betweenEvents,
      clientLeft: this.#leftEarly ?? client.aborted,
    });
  }
}
