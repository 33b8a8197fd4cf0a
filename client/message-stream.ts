import { EventSourceParserStream } from "eventsource-parser/stream";
import type { components } from "../generated/proxy/types.ts";
import { createMessageCollector } from "./message-collector.ts";
import { type MessageEvent, MessageStreamError, parse, readEvent } from "./message-events.ts";
import { readErrorBody } from "./proxy-errors.ts";

type Message = components["schemas"]["Message"];

/**
 * A message as it is made. Its events are read once, by `for await` or by `finalMessage`. Leaving the loop, an error and
 * `abort` end the request, so that no more output is made and paid for. A stream that your program does not read must be aborted.
 */
export interface MessageStream extends AsyncIterable<MessageEvent> {
  /**
   * Reads what is left and gives the whole message with its usage.
   * @throws {MessageStreamError} when the stream does not come to its end.
   */
  finalMessage(): Promise<Message>;
  /** Ends the request; what is being read then throws. Does nothing after the end. */
  abort(): void;
}

/** What a stream needs. */
export interface MessageStreamSource {
  readonly body: ReadableStream<Uint8Array>;
  /** Ends the request. */
  readonly controller: AbortController;
  /** How long the stream may be silent. */
  readonly idleTimeoutMs: number;
}

/** Reads the events of a streamed message. */
export function readMessageStream({ body, controller, idleTimeoutMs }: MessageStreamSource): MessageStream {
  const collector = createMessageCollector();
  const events = readEvents();

  async function* readEvents(): AsyncGenerator<MessageEvent, void, undefined> {
    const text = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>);
    const reader = text.pipeThrough(new EventSourceParserStream()).getReader();
    try {
      for (;;) {
        const { done, value } = await readBefore(reader, idleTimeoutMs, controller);
        if (done) break;
        if (value.event === "error") throw toldError(value.data);
        const event = readEvent(value.event ?? "message", value.data);
        collector.add(event);
        yield event;
        if (collector.isComplete()) return;
      }
      throw new MessageStreamError("The stream broke off.");
    } finally {
      controller.abort();
      await reader.cancel().catch(() => {});
    }
  }

  return {
    [Symbol.asyncIterator]: () => events,
    abort: () => controller.abort(),
    async finalMessage() {
      for await (const _ of events);
      const message = collector.message();
      if (message === null || !collector.isComplete()) {
        throw new MessageStreamError("The stream was left before its end.");
      }
      return message;
    },
  };
}

/** Reads on. A connection that breaks, and a silence that is too long, are the stream's; an abort keeps its reason. */
async function readBefore<T>(
  reader: ReadableStreamDefaultReader<T>,
  idleTimeoutMs: number,
  controller: AbortController,
): ReturnType<ReadableStreamDefaultReader<T>["read"]> {
  const silence = new MessageStreamError("The stream has been silent for too long.");
  const timer = setTimeout(() => controller.abort(silence), idleTimeoutMs);
  try {
    return await reader.read();
  } catch (cause) {
    controller.signal.throwIfAborted();
    throw new MessageStreamError("The stream broke off.", null, { cause });
  } finally {
    clearTimeout(timer);
  }
}

function toldError(text: string): MessageStreamError {
  const told = readErrorBody(parse(text));
  return new MessageStreamError(told?.message ?? "The stream ended with an error.", told?.type ?? null);
}
