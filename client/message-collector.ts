import type { components } from "../generated/proxy/types.ts";
import type { ContentBlock, ContentDelta, MessageEvent, PartialUsage } from "./message-events.ts";
import { MessageStreamError, parse } from "./message-events.ts";

type Message = components["schemas"]["Message"];

/** Puts a message together from its events. */
export interface MessageCollector {
  /** @throws {MessageStreamError} for an event that cannot follow what has come. */
  add(event: MessageEvent): void;
  /** The message so far; null before its beginning. It changes with each event. */
  message(): Message | null;
  isComplete(): boolean;
}

/** A collector for one message. */
export function createMessageCollector(): MessageCollector {
  let message: Message | null = null;
  let isComplete = false;
  /** The JSON of the inputs of tools, by the block's index. */
  const inputs = new Map<number, string>();

  const started = (): Message => {
    if (message === null) throw new MessageStreamError("The stream does not begin with a message.");
    return message;
  };
  const blockAt = (index: number): Record<string, unknown> => {
    const block = started().content[index];
    if (block === undefined)
      throw new MessageStreamError(`The stream adds to block ${index}, which is not there.`);
    return block;
  };
  const addDelta = (index: number, delta: ContentDelta) => {
    if (delta.type === "input_json_delta") inputs.set(index, (inputs.get(index) ?? "") + delta.partial_json);
    else addToBlock(blockAt(index), delta);
  };

  return {
    message: () => message,
    isComplete: () => isComplete,
    add(event) {
      switch (event.type) {
        case "message_start":
          message = structuredClone(event.message);
          break;
        case "content_block_start":
          started().content[event.index] = structuredClone(event.content_block) as ContentBlock;
          break;
        case "content_block_delta":
          addDelta(event.index, event.delta);
          break;
        case "content_block_stop": {
          const input = inputs.get(event.index);
          if (input !== undefined && input !== "") blockAt(event.index).input = parse(input);
          break;
        }
        case "message_delta":
          Object.assign(started(), event.delta);
          started().usage = { ...started().usage, ...reportedUsage(event.usage ?? {}) };
          break;
        case "message_stop":
          started();
          isComplete = true;
          break;
        case "ping":
        case "other":
          break;
      }
    },
  };
}

function addToBlock(
  block: Record<string, unknown>,
  delta: Exclude<ContentDelta, { type: "input_json_delta" }>,
): void {
  switch (delta.type) {
    case "text_delta":
      block.text = `${block.text ?? ""}${delta.text}`;
      break;
    case "thinking_delta":
      block.thinking = `${block.thinking ?? ""}${delta.thinking}`;
      break;
    case "signature_delta":
      block.signature = delta.signature;
      break;
    case "citations_delta":
      block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
      break;
  }
}

/** The counts are cumulative: each replaces the one before, and null says nothing. */
function reportedUsage(usage: PartialUsage): Partial<Message["usage"]> {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== null));
}
