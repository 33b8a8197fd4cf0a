import { BadRequestError } from "./errors.ts";

/** The most that a body may hold. A body of 32 MiB could otherwise be eleven million values, or as many levels. */
export const MAX_VALUES = 250_000;
export const MAX_DEPTH = 200;
/** A name is looked up as a whole, and a number read as a whole. */
export const MAX_NAME_LENGTH = 16_384;
export const MAX_SCALAR_LENGTH = 1_024;

/** A backslash, or what JSON wants escaped. */
const NEEDS_DECODING = /[^ -[\]-\uffff]/;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK = 0xfeff;

type Container = unknown[] | Record<string, unknown>;

/** What may come next. */
type Expected = "value" | "value or ]" | "name or }" | "name" | ":" | ", or end" | "nothing";

/**
 * Reads JSON while it comes, piece by piece, so that a large body is never parsed at a stretch, and is refused as soon as
 * it holds too much. What comes of it is what `JSON.parse` makes of the whole. A field that an object has twice is
 * refused: parsers differ in which of the two they take, so that an upstream could answer with another model than the one
 * that is charged, read a file that was not looked at, or a buyer mean another quantity.
 */
export class JsonParser {
  /** How many values and names there have been. */
  values = 0;
  #expected: Expected = "value";
  #root: unknown;
  /** Outermost first; the last is the one that is being read. */
  readonly #containers: Container[] = [];
  readonly #names: string[] = [];
  /** What has been read of a text that goes on in the next piece; null outside of texts. */
  #text: string | null = null;
  /** The end of the last piece, which only makes sense with the next: half an escape, or half a number. */
  #rest = "";
  #begun = false;

  /** Takes the next piece. @throws {BadRequestError} */
  write(piece: string): void {
    if (piece === "") return;
    const start = !this.#begun && piece.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    this.#begun = true;
    const text = this.#rest + piece;
    this.#rest = "";
    let index = this.#text === null ? start : this.#readText(text, 0);
    while (index < text.length) index = this.#readToken(text, index);
  }

  /** The value, once all of it has been written. @throws {BadRequestError} */
  end(): unknown {
    if (this.#text !== null) throw notJson();
    if (this.#rest !== "") this.#add(decode(this.#rest));
    this.#rest = "";
    if (this.#expected !== "nothing") throw notJson();
    return this.#root;
  }

  /** Reads what begins here. @returns where it is over */
  #readToken(text: string, index: number): number {
    switch (text.charCodeAt(index)) {
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
        return index + 1;
      case QUOTE:
        this.#text = "";
        return this.#readText(text, index + 1);
      case 0x7b:
        this.#open({}, "name or }");
        return index + 1;
      case 0x5b:
        this.#open([], "value or ]");
        return index + 1;
      case 0x7d:
        this.#close(false, "name or }");
        return index + 1;
      case 0x5d:
        this.#close(true, "value or ]");
        return index + 1;
      case 0x2c:
        if (this.#expected !== ", or end") throw notJson();
        this.#expected = Array.isArray(this.#containers.at(-1)) ? "value" : "name";
        return index + 1;
      case 0x3a:
        if (this.#expected !== ":") throw notJson();
        this.#expected = "value";
        return index + 1;
      default:
        return this.#readScalar(text, index);
    }
  }

  /** Reads a number, true, false or null. */
  #readScalar(text: string, start: number): number {
    let end = start + 1;
    while (end < text.length && !endsScalar(text.charCodeAt(end))) end += 1;
    if (end - start > MAX_SCALAR_LENGTH) throw notJson();
    const scalar = text.slice(start, end);
    if (end === text.length) this.#rest = scalar;
    else this.#add(decode(scalar));
    return end;
  }

  /** Reads on in a text, which may have begun in an earlier piece. */
  #readText(text: string, start: number): number {
    let end = text.indexOf('"', start);
    while (end !== -1 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
    const known = this.#text ?? "";
    if (end === -1) {
      const cut = lastWhole(text, start);
      this.#rest = text.slice(cut);
      this.#text = known + decodeText(text.slice(start, cut));
      if (this.#isName() && this.#text.length > MAX_NAME_LENGTH) throw nameTooLong();
      return text.length;
    }
    this.#text = null;
    const last = decodeText(text.slice(start, end));
    const whole = known === "" ? last : known + last;
    if (this.#isName()) this.#addName(whole);
    else this.#add(whole);
    return end + 1;
  }

  #isName(): boolean {
    return this.#expected === "name" || this.#expected === "name or }";
  }

  #addName(name: string): void {
    if (name.length > MAX_NAME_LENGTH) throw nameTooLong();
    this.#count();
    if (Object.hasOwn(this.#containers.at(-1) as object, name))
      throw new BadRequestError(`The field ${JSON.stringify(name)} is there twice.`);
    this.#names[this.#containers.length] = name;
    this.#expected = ":";
  }

  #add(value: unknown): void {
    if (this.#expected !== "value" && this.#expected !== "value or ]") throw notJson();
    this.#count();
    const depth = this.#containers.length;
    const container = this.#containers[depth - 1];
    if (container === undefined) this.#root = value;
    else if (Array.isArray(container)) container.push(value);
    else setOwn(container, this.#names[depth] as string, value);
    this.#expected = depth === 0 ? "nothing" : ", or end";
  }

  #open(container: Container, next: Expected): void {
    this.#add(container);
    if (this.#containers.push(container) > MAX_DEPTH) throw tooDeep();
    this.#expected = next;
  }

  #close(isList: boolean, empty: Expected): void {
    const ended = this.#containers.at(-1);
    const fits = ended !== undefined && Array.isArray(ended) === isList;
    if (!fits || (this.#expected !== ", or end" && this.#expected !== empty)) throw notJson();
    this.#containers.pop();
    this.#expected = this.#containers.length === 0 ? "nothing" : ", or end";
  }

  #count(): void {
    this.values += 1;
    if (this.values > MAX_VALUES) throw tooManyValues();
  }
}

/** A body that is not JSON. */
export function notJson(): BadRequestError {
  return new BadRequestError("The body is not readable as JSON in UTF-8.");
}

/** A body that holds more than it may. */
export function tooManyValues(): BadRequestError {
  return new BadRequestError(`The body holds more than ${MAX_VALUES} values and names of fields.`);
}

export function tooDeep(): BadRequestError {
  return new BadRequestError(`The body is nested more than ${MAX_DEPTH} levels deep.`);
}

function nameTooLong(): BadRequestError {
  return new BadRequestError(`The name of a field is longer than ${MAX_NAME_LENGTH} characters.`);
}

function endsScalar(code: number): boolean {
  switch (code) {
    case 0x20:
    case 0x0a:
    case 0x0d:
    case 0x09:
    case 0x2c:
    case 0x3a:
    case 0x5b:
    case 0x5d:
    case 0x7b:
    case 0x7d:
    case QUOTE:
      return true;
    default:
      return false;
  }
}

/** Whether an odd number of backslashes stands before the position. What is before `start` has been decoded. */
function isEscaped(text: string, start: number, position: number): boolean {
  let first = position;
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (position - first) % 2 === 1;
}

/** Where a part of a text may be cut that goes on in the next piece: before an escape of which the end has not come. */
function lastWhole(text: string, start: number): number {
  for (let index = text.length - 1; index >= Math.max(start, text.length - 5); index -= 1) {
    if (text.charCodeAt(index) !== BACKSLASH) continue;
    if (isEscaped(text, start, index)) return text.length;
    const length = text[index + 1] === "u" ? 6 : 2;
    return index + length > text.length ? index : text.length;
  }
  return text.length;
}

function decodeText(written: string): string {
  return NEEDS_DECODING.test(written) ? (decode(`"${written}"`) as string) : written;
}

function decode(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    throw notJson();
  }
}

function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
