import type { SentBody } from "./upstream.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d]);
const AFTER_NUMBER = new Set([0x2c, 0x7d, ...BLANK]);

/** To look for the end of a text costs a call, unless it is as near as this. */
const NEAR_BYTES = 24;

/** Where a value stands in the bytes of a body: from `start` up to, not including, `end`. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * The same body with another value for one of the fields at its top, and every other byte as it came. Letting go of it lets go
 * of both.
 * @param body a JSON object that has been parsed already, with a text or a number as its one field of that name.
 * @param json the value, as JSON.
 */
export function withField(body: SentBody, name: string, json: string): SentBody {
  const bytes = Buffer.concat(body.pieces);
  const { start, end } = placeOf(bytes, name);
  let pieces: readonly Buffer[] = [bytes.subarray(0, start), Buffer.from(json), bytes.subarray(end)];
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

/** Where the value of a field at the top stands. */
function placeOf(bytes: Buffer, name: string): Place {
  let depth = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    else if (byte === QUOTE) {
      const end = endOfText(bytes, index);
      const start = depth === 1 ? startOfValue(bytes, end) : null;
      if (start !== null && JSON.parse(bytes.toString("utf8", index, end)) === name)
        return { start, end: endOfValue(bytes, start) };
      index = end - 1;
    }
  }
  throw new Error(`The body has no ${name}.`);
}

/** Where the value of a field begins whose name ends here; null when it is no name. */
function startOfValue(bytes: Buffer, nameEnd: number): number | null {
  const colon = skipBlanks(bytes, nameEnd);
  return bytes[colon] === COLON ? skipBlanks(bytes, colon + 1) : null;
}

function skipBlanks(bytes: Buffer, start: number): number {
  let next = start;
  while (BLANK.has(bytes[next] as number)) next += 1;
  return next;
}

/** Where a text or a number is over. */
function endOfValue(bytes: Buffer, start: number): number {
  if (bytes[start] === QUOTE) return endOfText(bytes, start);
  let end = start;
  while (end < bytes.length && !AFTER_NUMBER.has(bytes[end] as number)) end += 1;
  return end;
}

/** Where a text that begins at a quote is over. */
export function endOfText(bytes: Buffer, start: number): number {
  const near = Math.min(start + NEAR_BYTES, bytes.length);
  for (let index = start + 1; index < near && bytes[index] !== BACKSLASH; index += 1)
    if (bytes[index] === QUOTE) return index + 1;
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end !== -1 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end === -1 ? bytes.length : end + 1;
}

function isEscaped(bytes: Buffer, position: number): boolean {
  let backslashes = 0;
  while (bytes[position - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
