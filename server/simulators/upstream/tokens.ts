import type { FurtherUsage, TokenUsage } from "../../calls/token-usage.ts";
import type { Block, MessageRequest, Tool } from "./message-request.ts";

const BYTES_PER_TOKEN = 4;
const MAX_IMAGE_TOKENS = 4_784;
const PIECE = /\s*\S{1,12}\s*/gu;

/**
 * The input tokens of a request. Each tool, each block of the system text and each block of a message (a string is one)
 * takes a token for every four bytes, begun, of its JSON, a picture at most 4,784. What comes up to the last block that has `cache_control` is the
 * cached part: half of its tokens, rounded down, are read from the cache and the others written into it, for an hour as far as
 * the last block that asks for that, so that usage follows from the request alone.
 */
export function inputUsageOf(request: InputParts): Omit<TokenUsage, "outputTokens"> {
  const blocks = [
    ...(request.tools ?? []),
    ...blocksOf(request.system ?? []),
    ...request.messages.flatMap(({ content }) => blocksOf(content)),
  ];
  const cached = request.cache_control ? blocks.length : blocks.findLastIndex(isCached) + 1;
  const cachedTokens = tokensOf(blocks.slice(0, cached));
  const cacheReadTokens = Math.floor(cachedTokens / 2);
  const cacheWriteTokens = cachedTokens - cacheReadTokens;
  const further = hourUsage(Math.min(cacheWriteTokens, hourTokensOf(request, blocks)));
  return {
    inputTokens: tokensOf(blocks.slice(cached)),
    cacheWriteTokens,
    cacheReadTokens,
    ...(further === null ? {} : { further }),
  };
}

/** The tokens up to the last block that is cached for an hour; all of them where the request itself is. */
function hourTokensOf(
  { cache_control: whole }: InputParts,
  blocks: readonly (string | Block | Tool)[],
): number {
  const end = isForAnHour(whole) ? blocks.length : blocks.findLastIndex(isCachedForAnHour) + 1;
  return tokensOf(blocks.slice(0, end));
}

function isCachedForAnHour(block: string | Block | Tool): boolean {
  return typeof block === "object" && "cache_control" in block && isForAnHour(block.cache_control);
}

function isForAnHour(control: unknown): boolean {
  return typeof control === "object" && control !== null && "ttl" in control && control.ttl === "1h";
}

function hourUsage(cacheWriteHourTokens: number): FurtherUsage | null {
  if (cacheWriteHourTokens === 0) return null;
  const terms = { speed: null, inferenceGeo: null, serviceTier: null };
  return { cacheWriteHourTokens, ...terms, toolUses: {}, iterations: [], unknown: [] };
}

/** What of a request is input. */
export type InputParts = Pick<MessageRequest, "tools" | "system" | "messages" | "cache_control">;

/** A text in the pieces in which it is sent, of which each is one output token: words, long ones cut after 12 characters. */
export function piecesOf(text: string, atMost: number): string[] {
  const pieces: string[] = [];
  for (const [piece] of text.matchAll(PIECE)) {
    if (pieces.length === atMost) break;
    pieces.push(piece);
  }
  return pieces.length === 0 && text !== "" ? [text] : pieces;
}

function tokensOf(blocks: readonly unknown[]): number {
  return blocks.reduce<number>((sum, block) => sum + tokensOfBlock(block), 0);
}

/** A picture is scaled down to what a model sees at the most, wherever the vendor documents pictures. */
function tokensOfBlock(block: unknown): number {
  if (typeof block !== "object" || block === null) return textTokens(block);
  const { type, source, content, ...rest } = block as Record<string, unknown>;
  const inSource = source as Record<string, unknown> | undefined;
  if (type === "image" && inSource?.type === "base64") return Math.min(MAX_IMAGE_TOKENS, textTokens(block));
  if (type === "tool_result" && Array.isArray(content))
    return textTokens({ type, ...rest }) + tokensOf(content);
  if (type === "document" && Array.isArray(inSource?.content)) {
    return textTokens({ type, ...rest }) + tokensOf(inSource.content);
  }
  return textTokens(block);
}

function textTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / BYTES_PER_TOKEN);
}

function blocksOf(content: string | readonly Block[]): readonly (string | Block)[] {
  return typeof content === "string" ? [content] : content;
}

function isCached(block: string | Block | Tool): boolean {
  return typeof block === "object" && "cache_control" in block && Boolean(block.cache_control);
}
