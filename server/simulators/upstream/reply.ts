import type { TokenUsage } from "../../calls/token-usage.ts";
import type { Behaviour } from "./behaviour.ts";
import {
  hasToolResult,
  lastTextOf,
  type MessageRequest,
  type PropertySchema,
  type Tool,
} from "./message-request.ts";
import { isServerTool, serverWorkFor } from "./server-work.ts";
import { inputUsageOf, piecesOf } from "./tokens.ts";
import type { ToldUsage } from "./told-usage.ts";
import { wholeUsage } from "./whole-usage.ts";

/** A block of an answer, with the pieces in which a stream sends it; each is one output token. */
export type ReplyBlock =
  | { readonly type: "text"; readonly pieces: readonly string[] }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly pieces: readonly string[];
    }
  /** What the upstream did by itself; it comes whole. */
  | { readonly type: "server"; readonly block: object; readonly pieces: readonly [] };

/** A whole answer before it is sent. */
export interface Reply {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly ReplyBlock[];
  readonly stopReason: "end_turn" | "max_tokens" | "tool_use";
  readonly usage: TokenUsage;
  /** The same as the answer tells it. */
  readonly told: ToldUsage;
}

/** What a stream of one text has beside its pieces: start and end of message and block, ping, message_delta. */
const EVENTS_AROUND_TEXT = 6;
const BYTES_PER_MB = 1_048_576;
const JSON_PIECE = /.{1,16}/gsu;

/** The answer to a request. Everything in it but the ids follows from the request. */
export function replyTo(request: MessageRequest, behaviour: Behaviour, id: string): Reply {
  const { kind, number } = behaviour;
  const { model, max_tokens: maxTokens } = request;
  const tool = kind === "sim-echo" ? wantedTool(request) : undefined;
  const text = tool ? `I ask ${tool.name}.` : lastTextOf(request);
  // What sends a given number of events heeds no limit, and so may cost more than the caller expected.
  const madeUp = madeUpPieces(kind, number);
  const allPieces = madeUp ?? piecesOf(text, maxTokens + 1);
  const pieces = madeUp ?? allPieces.slice(0, maxTokens);
  const blocks: ReplyBlock[] = [{ type: "text", pieces }];
  if (tool) blocks.push(useOf(tool, id));
  const sent = blocks.reduce((sum, block) => sum + block.pieces.length, 0);
  const outputTokens = Math.max(Math.min(1, maxTokens), madeUp ? sent : Math.min(sent, maxTokens));
  const stopReason = tool ? "tool_use" : pieces.length < allPieces.length ? "max_tokens" : "end_turn";
  const work = serverWorkFor(request, { ...inputUsageOf(request), outputTokens });
  for (const block of work.blocks.toReversed()) blocks.unshift({ type: "server", block, pieces: [] });
  const usage = behaviour.usage === undefined ? work.usage : countsIn(behaviour.usage);
  const told = behaviour.usage ?? wholeUsage(usage, { request, behaviour, work });
  return { id, model, blocks, stopReason, usage, told };
}

function countsIn(told: ToldUsage): TokenUsage {
  const count = (name: string) => (typeof told[name] === "number" ? told[name] : 0);
  return {
    inputTokens: count("input_tokens"),
    outputTokens: count("output_tokens"),
    cacheWriteTokens: count("cache_creation_input_tokens"),
    cacheReadTokens: count("cache_read_input_tokens"),
  };
}

/** Of a behaviour that is about a number of events the pieces `1 `, `2 `, …, which show whether any is missing. */
function madeUpPieces(kind: Behaviour["kind"], number: number): string[] | null {
  switch (kind) {
    case "sim-huge":
      return new Array(number).fill("x".repeat(BYTES_PER_MB));
    case "sim-events":
    case "sim-long":
      return numberedPieces(number - EVENTS_AROUND_TEXT);
    case "sim-cut":
    case "sim-error-event":
      // More than are sent.
      return numberedPieces(number + 1);
    default:
      return null;
  }
}

function numberedPieces(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => `${index + 1} `);
}

/** The tool that the request asks for by its choice, or by naming it in its text; none after a tool's result. */
function wantedTool(request: MessageRequest): Tool | undefined {
  const { tool_choice: choice } = request;
  const tools = (request.tools ?? []).filter((tool) => !isServerTool(tool));
  if (tools.length === 0 || choice?.type === "none" || hasToolResult(request)) return undefined;
  if (choice?.type === "tool") return tools.find(({ name }) => name === choice.name);
  if (choice?.type === "any") return tools[0];
  const text = lastTextOf(request);
  return tools.find(({ name }) => text.includes(name));
}

function useOf({ name, input_schema: schema }: Tool, id: string): ReplyBlock {
  const properties = Object.entries(schema?.properties ?? {});
  const input = Object.fromEntries(properties.map(([property, of]) => [property, exampleOf(property, of)]));
  const pieces = JSON.stringify(input).match(JSON_PIECE) ?? [];
  return { type: "tool_use", id: id.replace("msg_", "toolu_"), name, input, pieces };
}

function exampleOf(property: string, schema: PropertySchema): unknown {
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return `simulated ${property}`;
  }
}
