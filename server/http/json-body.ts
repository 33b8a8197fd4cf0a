import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { BodyBytes, Judgement } from "./body-judge.ts";
import type { BodyLease } from "./body-memory.ts";
import { BadRequestError } from "./errors.ts";
import { inTurn } from "./event-loop-turns.ts";
import { JsonCounter } from "./json-counter.ts";
import { JsonParser, notJson } from "./json-parser.ts";
import { RequestBody } from "./request-body.ts";

/** A field at the top of a body that tells whether it is worth to read the rest. */
export interface EarlyField {
  readonly name: string;
  /** Asked with what the field says, if that is a text. @throws what the request is refused with. */
  admit(text: string): Promise<void>;
}

/** How a JSON body is read. */
export interface JsonBodyOptions {
  readonly limitBytes: number;
  /** Whether its bytes are kept beside what they say. */
  readonly keepsBytes: boolean;
  readonly lease: BodyLease;
  /** Asked before more than {@link LARGE_BYTES} are read; what it throws ends the reading. */
  beforeLarge(): Promise<void>;
  /** Judges in a thread what is not parsed here; without it, all is. */
  readonly judge?: ((body: BodyBytes) => Promise<Judgement>) | undefined;
  /** Looked at as soon as it has come, in a body that is to be judged in a thread. */
  readonly earlyField?: EarlyField | undefined;
}

/** What has come of reading a body. */
export interface ReadBody {
  readonly body: RequestBody;
  /** Set when it was judged in a thread. */
  readonly judgement?: Judgement;
}

/** What is larger is asked about before it is read. */
export const LARGE_BYTES = 64 * 1024;
/**
 * What holds more is judged in a thread: to look through so many values once takes milliseconds, and so much text that stays
 * is copied by each collection of garbage.
 */
const MANY_VALUES = 10_000;
const MUCH_TEXT_BYTES = 1024 * 1024;
/** What is no larger is read and parsed at once. */
const SMALL_BYTES = 8 * 1024;
/** So much is parsed at a time. */
const SLICE_BYTES = 8 * 1024;
/** What comes in smaller pieces is put together: a piece of one byte takes a hundred. */
const MIN_PIECE_BYTES = 4 * 1024;
/** What a byte of a body and what it says may take at the most, and what a value takes beside its text. */
const MEMORY_PER_BYTE = 2;
const MEMORY_PER_VALUE = 48;

/**
 * Reads a JSON body, which is taken apart while it comes. Nothing more is read once it cannot be right any more.
 * @throws {BadRequestError} @throws {BusyError}
 */
export async function readJsonBody(req: IncomingMessage, options: JsonBodyOptions): Promise<ReadBody> {
  const declaredBytes = declaredLength(req);
  const reading = new Reading(options, declaredBytes);
  if (declaredBytes !== null && declaredBytes <= SMALL_BYTES) {
    for (const piece of await collect(req)) reading.takeNow(piece);
  } else {
    if (declaredBytes !== null && declaredBytes > LARGE_BYTES) await reading.beforeLarge();
    for await (const piece of piecesOf(req)) await reading.take(piece);
  }
  return reading.end();
}

/** The length of a body as its request tells it; null when it does not. */
export function declaredLength({ headers }: IncomingMessage): number | null {
  const { "content-length": length } = headers;
  return length === undefined ? null : Number(length);
}

/** A handler that leaves off reading would otherwise close the connection, and with it the way back for its answer. */
export async function* piecesOf(req: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* req.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw req.readableEnded ? error : new BadRequestError("The body broke off.");
  }
}

function collect(req: IncomingMessage): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    req.on("data", (piece: Buffer) => void pieces.push(piece));
    const brokenOff = () => reject(new BadRequestError("The body broke off."));
    req.once("error", brokenOff).once("close", brokenOff);
    req.once("end", () => {
      // Every request is closed at last, and an error that nobody sees costs its stack.
      req.off("close", brokenOff);
      resolve(pieces);
    });
  });
}

class Reading {
  readonly #options: JsonBodyOptions;
  readonly #expectedBytes: number;
  /** Whether it is known beforehand that the body is to be judged in a thread. */
  readonly #isSurelyLarge: boolean;
  #parser = new JsonParser();
  /** In place of the parser where the body is judged in a thread. */
  #counter: JsonCounter | null = null;
  readonly #pieces: Buffer[] = [];
  #length = 0;
  #parsedBytes = 0;
  #asked = false;
  #isFieldAdmitted = false;
  #valuesCounted = 0;
  /** Small pieces that are being put together. */
  #gathered: Buffer = NOTHING;
  #gatheredBytes = 0;
  /** The beginning of a character whose end has not come. */
  #halfCharacter: Buffer = NOTHING;

  constructor(options: JsonBodyOptions, declaredBytes: number | null) {
    this.#options = options;
    this.#expectedBytes = declaredBytes ?? options.limitBytes;
    this.#isSurelyLarge = declaredBytes !== null && declaredBytes > MUCH_TEXT_BYTES;
  }

  async beforeLarge(): Promise<void> {
    this.#asked = true;
    await this.#options.beforeLarge();
  }

  /** Takes a piece of a body that is small altogether. */
  takeNow(piece: Buffer): void {
    this.#count(piece.length);
    this.#keep(piece);
    this.#look(piece);
  }

  /** Takes a piece of a body that may be large. */
  async take(piece: Buffer): Promise<void> {
    this.#count(piece.length);
    if (!this.#asked && this.#length > LARGE_BYTES) await this.beforeLarge();
    if (piece.length >= MIN_PIECE_BYTES) {
      await this.#passGathered();
      await this.#pass(piece);
      return;
    }
    if (this.#gatheredBytes + piece.length > SLICE_BYTES) await this.#passGathered();
    if (this.#gatheredBytes === 0) this.#gathered = Buffer.allocUnsafeSlow(SLICE_BYTES);
    this.#gatheredBytes += piece.copy(this.#gathered, this.#gatheredBytes);
  }

  async end(): Promise<ReadBody> {
    await this.#passGathered();
    if (this.#counter !== null) return this.#judge(this.#counter);
    if (this.#halfCharacter.length > 0) throw notJson();
    const json = this.#parser.end();
    if (!isJsonObject(json)) throw notAnObject();
    return { body: this.#bodyOf({ json, extract: null }) };
  }

  async #judge({ values }: JsonCounter): Promise<ReadBody> {
    const body = { pieces: this.#pieces, lengthBytes: this.#length, values };
    const judgement = await this.#options.judge?.(body);
    if (judgement === undefined) throw new Error("There is nobody to judge the body.");
    if (judgement.kind === "unreadable") throw new BadRequestError(judgement.message);
    const extract = judgement.kind === "fits" ? judgement.extract : { json: {} };
    return { body: this.#bodyOf({ json: extract.json, extract }), judgement };
  }

  #bodyOf(content: Pick<RequestBody, "json" | "extract">): RequestBody {
    return new RequestBody({ ...content, pieces: this.#pieces, length: this.#length }, this.#options.lease);
  }

  #count(bytes: number): void {
    const { limitBytes, lease } = this.#options;
    this.#length += bytes;
    if (this.#length > limitBytes) throw new BadRequestError(tooLarge(limitBytes));
    lease.take(bytes * MEMORY_PER_BYTE);
  }

  async #passGathered(): Promise<void> {
    const gathered = this.#gathered.subarray(0, this.#gatheredBytes);
    this.#gathered = NOTHING;
    this.#gatheredBytes = 0;
    if (gathered.length > 0) await this.#pass(gathered);
  }

  async #pass(piece: Buffer): Promise<void> {
    this.#keep(piece);
    await this.#inSlices(piece);
    await this.#admitField();
  }

  /** Whether the body is to be judged in a thread; of one that surely is, the first slice is parsed, lest it is no JSON at all. */
  #isLarge(): boolean {
    if (this.#options.judge === undefined) return false;
    return this.#isSurelyLarge || this.#parser.values > MANY_VALUES || this.#parsedBytes > MUCH_TEXT_BYTES;
  }

  /** Goes on without parsing, from the beginning, which the counter has not seen. */
  async #countInstead(): Promise<void> {
    this.#counter = new JsonCounter(this.#options.earlyField?.name);
    this.#parser = new JsonParser();
    this.#parsedBytes = 0;
    for (const known of this.#pieces) await this.#inSlices(known);
  }

  async #admitField(): Promise<void> {
    const text = this.#counter?.seenText ?? null;
    if (text === null || this.#isFieldAdmitted) return;
    this.#isFieldAdmitted = true;
    await this.#options.earlyField?.admit(text);
  }

  async #inSlices(piece: Buffer): Promise<void> {
    for (let start = 0; start < piece.length; start += SLICE_BYTES) {
      const slice = piece.subarray(start, start + SLICE_BYTES);
      await inTurn(this.#expectedBytes - this.#parsedBytes, () => this.#look(slice));
      if (this.#counter === null && this.#isLarge()) return this.#countInstead();
    }
  }

  #keep(piece: Buffer): void {
    if (this.#options.keepsBytes) this.#pieces.push(piece);
  }

  #look(bytes: Buffer): void {
    this.#parsedBytes += bytes.length;
    if (this.#counter === null) this.#parse(bytes);
    else this.#counter.write(bytes);
    this.#noteValues(this.#counter ?? this.#parser);
  }

  #parse(bytes: Buffer): void {
    const all = this.#halfCharacter.length === 0 ? bytes : Buffer.concat([this.#halfCharacter, bytes]);
    const end = endOfLastCharacter(all);
    const whole = all.subarray(0, end);
    if (!isUtf8(whole)) throw notJson();
    this.#halfCharacter = end === all.length ? NOTHING : Buffer.from(all.subarray(end));
    this.#parser.write(whole.toString());
  }

  #noteValues({ values }: { readonly values: number }): void {
    if (values <= this.#valuesCounted) return;
    this.#options.lease.take((values - this.#valuesCounted) * MEMORY_PER_VALUE);
    this.#valuesCounted = values;
  }
}

const NOTHING = Buffer.alloc(0);

export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function notAnObject(): BadRequestError {
  return new BadRequestError("The body must be a JSON object.");
}

/** What a body is told that is larger than it may be. */
export function tooLarge(limitBytes: number): string {
  const [size, unit] = limitBytes < MEBIBYTE ? [limitBytes / 1024, "kb"] : [limitBytes / MEBIBYTE, "mb"];
  return `The body is larger than ${size}${unit}.`;
}

const MEBIBYTE = 1024 ** 2;

/** Where the last character of UTF-8 ends that is there as a whole. */
function endOfLastCharacter(bytes: Buffer): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length] as number;
    if (byte >= (FIRST_BYTES[length - 1] as number)) return bytes.length - length;
    if (byte < 0x80 || byte >= 0xc0) return bytes.length;
  }
  return bytes.length;
}

/** The least first byte of a character of which one, two and three bytes are not all. */
const FIRST_BYTES = [0xc0, 0xe0, 0xf0];
