import type { SentBody } from "./upstream.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const AFTER_NUMBER = new Set([0x2c, 0x7d, 0x20, 0x09, 0x0a, 0x0d]);

/**
 * The same body with another `max_tokens`, and every other byte as it came.
 * @param body a JSON object that has been parsed already, with a whole number as its one `max_tokens`.
 */
export function withMaxTokens(body: SentBody, maxTokens: number): SentBody {
  const bytes = Buffer.concat([...body.pieces]);
  const { start, end } = findMaxTokens(bytes);
  let pieces: readonly Buffer[] = [
    bytes.subarray(0, start),
    Buffer.from(String(maxTokens)),
    bytes.subarray(end),
  ];
  return {
    length: pieces.reduce((sum, piece) => sum + piece.length, 0),
    get pieces() {
      return pieces;
    },
    release() {
      pieces = [];
      body.release();
    },
  };
}

/** Where the number of the field at the top stands. */
function findMaxTokens(bytes: Buffer): { start: number; end: number } {
  let depth = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    else if (byte === QUOTE) {
      const end = endOfText(bytes, index);
      const value =
        depth === 1 &&
        JSON.parse(bytes.toString("utf8", index, end)) === "max_tokens" &&
        valueAfter(bytes, end);
      if (value) return value;
      index = end - 1;
    }
  }
  throw new Error("The body has no max_tokens.");
}

/** Of a name; null where the text is a value itself. */
function valueAfter(bytes: Buffer, nameEnd: number): { start: number; end: number } | null {
  const found = /^[ \t\n\r]*:[ \t\n\r]*/.exec(bytes.toString("latin1", nameEnd, nameEnd + MAX_BLANKS));
  if (found === null) return null;
  const start = nameEnd + found[0].length;
  let end = start;
  while (end < bytes.length && !AFTER_NUMBER.has(bytes[end] as number)) end += 1;
  return { start, end };
}

// More is never written; a body that has it is found to have no max_tokens, and not lowered.
const MAX_BLANKS = 1_024;

function endOfText(bytes: Buffer, start: number): number {
  let end = start + 1;
  while (end < bytes.length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  return end + 1;
}
