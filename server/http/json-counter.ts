import { MAX_DEPTH, MAX_SCALAR_LENGTH, MAX_VALUES, notJson, tooDeep, tooManyValues } from "./json-parser.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** To look for the end of a text costs a call, unless it is as near as this. */
const NEAR_BYTES = 24;
const MAX_SEEN_BYTES = 1_024;

/** What a byte outside of texts is; what is none of these belongs to a number, true, false or null. */
const SCALAR = 0;
const SPACE = 1;
const OPENING = 2;
const CLOSING = 3;
const TEXT = 4;
const SEPARATOR = 5;
const KINDS = new Uint8Array(256);
for (const character of ",:") KINDS[character.charCodeAt(0)] = SEPARATOR;
for (const character of " \t\r\n") KINDS[character.charCodeAt(0)] = SPACE;
for (const character of "[{") KINDS[character.charCodeAt(0)] = OPENING;
for (const character of "]}") KINDS[character.charCodeAt(0)] = CLOSING;
KINDS[QUOTE] = TEXT;

/**
 * Counts what JSON holds while it comes, and makes nothing of it: no garbage, and a fraction of the time that parsing takes. It
 * counts as the `JsonParser` does. What is no JSON is counted in some way, and left to the parser to refuse.
 *
 * On its way it sees the text of one field at the top of an object, as it is usually written: a name with escapes, or what the
 * end of a piece cuts, is not seen.
 */
export class JsonCounter {
  /** How many values and names there have been. */
  values = 0;
  /** What the field says that is looked for, once it has been seen and is a text. */
  seenText: string | null = null;
  readonly #lookedFor: Buffer | null;
  #isAfterColon = false;
  #isAfterName = false;
  #depth = 0;
  #isInText = false;
  /** How long the number, or other scalar, is that is being read; 0 outside of them. */
  #scalarBytes = 0;
  /** Whether the last piece ended with a backslash that stands before what comes next. */
  #isEscaped = false;

  /** @param fieldName of the field that is looked for. */
  constructor(fieldName: string | null = null) {
    this.#lookedFor = fieldName === null ? null : Buffer.from(fieldName);
  }

  /** Takes the next piece. @throws {BadRequestError} it holds more than a body may. */
  write(bytes: Buffer): void {
    let index = this.#isInText ? this.#skipText(bytes, 0) : 0;
    while (index < bytes.length) {
      const byte = bytes[index] as number;
      const kind = KINDS[byte];
      index += 1;
      if (kind === SCALAR) {
        this.#readScalar();
        continue;
      }
      this.#scalarBytes = 0;
      if (kind === OPENING) this.#open();
      else if (kind === CLOSING) this.#depth -= 1;
      else if (kind === SEPARATOR) this.#separate(byte === COLON);
      else if (kind === TEXT) {
        const start = index;
        this.values += 1;
        this.#isInText = true;
        index = this.#skipText(bytes, start);
        if (this.#depth === 1 && !this.#isInText) this.#lookAt(bytes, start, index - 1);
      }
    }
    if (this.values > MAX_VALUES) throw tooManyValues();
  }

  #readScalar(): void {
    if (this.#scalarBytes === 0) this.values += 1;
    this.#scalarBytes += 1;
    if (this.#scalarBytes > MAX_SCALAR_LENGTH) throw notJson();
  }

  #separate(isColon: boolean): void {
    this.#isAfterColon = isColon;
    if (!isColon) this.#isAfterName = false;
  }

  /** Takes note of a text at the top, which stands from `start` up to, not including, `end`. */
  #lookAt(bytes: Buffer, start: number, end: number): void {
    const name = this.#lookedFor;
    if (name === null || this.seenText !== null) return;
    if (!this.#isAfterColon)
      this.#isAfterName = end - start === name.length && name.equals(bytes.subarray(start, end));
    else if (this.#isAfterName && end - start <= MAX_SEEN_BYTES) {
      const text = bytes.toString("utf8", start, end);
      if (!text.includes("\\")) this.seenText = text;
    }
  }

  #open(): void {
    this.values += 1;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw tooDeep();
  }

  /** @returns where the text is over, or the end of the piece where it goes on in the next. */
  #skipText(bytes: Buffer, start: number): number {
    const near = this.#isEscaped ? -1 : nearQuote(bytes, start);
    if (near !== -1) {
      this.#isInText = false;
      return near + 1;
    }
    let end = bytes.indexOf(QUOTE, start);
    while (end !== -1 && this.#standsEscaped(bytes, start, end)) end = bytes.indexOf(QUOTE, end + 1);
    this.#isEscaped = end === -1 && this.#standsEscaped(bytes, start, bytes.length);
    if (end === -1) return bytes.length;
    this.#isInText = false;
    return end + 1;
  }

  /** Whether an odd number of backslashes stands before the position, those at the end of the last piece included. */
  #standsEscaped(bytes: Buffer, start: number, position: number): boolean {
    let first = position;
    while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
    const isOdd = (position - first) % 2 === 1;
    return first === start && this.#isEscaped ? !isOdd : isOdd;
  }
}

/** Where the next quote is, if it is near and no backslash stands before it; otherwise -1. */
function nearQuote(bytes: Buffer, start: number): number {
  const end = Math.min(start + NEAR_BYTES, bytes.length);
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) return index;
    if (byte === BACKSLASH) return -1;
  }
  return -1;
}
