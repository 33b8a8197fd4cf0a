import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { BodyLease } from "./body-memory.ts";
import { BadRequestError } from "./errors.ts";
import { inTurn } from "./event-loop-turns.ts";
import { JsonParser, notJson } from "./json-parser.ts";
import { RequestBody } from "./request-body.ts";

/** How a JSON body is read. */
export interface JsonBodyOptions {
  readonly limitBytes: number;
  /** Whether its bytes are kept beside what they say. */
  readonly keepsBytes: boolean;
  readonly lease: BodyLease;
  /** Asked before more than {@link LARGE_BYTES} are read; what it throws ends the reading. */
  beforeLarge(): Promise<void>;
}

/** What is larger is asked about before it is read. */
export const LARGE_BYTES = 64 * 1024;
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
export async function readJsonBody(req: IncomingMessage, options: JsonBodyOptions): Promise<RequestBody> {
  const declaredBytes = declaredLength(req);
  const reading = new Reading(options, declaredBytes ?? options.limitBytes);
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
  readonly #parser = new JsonParser();
  readonly #pieces: Buffer[] = [];
  #length = 0;
  #parsedBytes = 0;
  #asked = false;
  #valuesCounted = 0;
  /** Small pieces that are being put together. */
  #gathered: Buffer = NOTHING;
  #gatheredBytes = 0;
  /** The beginning of a character whose end has not come. */
  #halfCharacter: Buffer = NOTHING;

  constructor(options: JsonBodyOptions, expectedBytes: number) {
    this.#options = options;
    this.#expectedBytes = expectedBytes;
  }

  async beforeLarge(): Promise<void> {
    this.#asked = true;
    await this.#options.beforeLarge();
  }

  /** Takes a piece of a body that is small altogether. */
  takeNow(piece: Buffer): void {
    this.#count(piece.length);
    this.#keep(piece);
    this.#parse(piece);
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

  async end(): Promise<RequestBody> {
    await this.#passGathered();
    if (this.#halfCharacter.length > 0) throw notJson();
    const json = this.#parser.end();
    return new RequestBody({ json, pieces: this.#pieces, length: this.#length }, this.#options.lease);
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
    for (let start = 0; start < piece.length; start += SLICE_BYTES) {
      const slice = piece.subarray(start, start + SLICE_BYTES);
      await inTurn(this.#expectedBytes - this.#parsedBytes, () => this.#parse(slice));
    }
  }

  #keep(piece: Buffer): void {
    if (this.#options.keepsBytes) this.#pieces.push(piece);
  }

  #parse(bytes: Buffer): void {
    this.#parsedBytes += bytes.length;
    const all = this.#halfCharacter.length === 0 ? bytes : Buffer.concat([this.#halfCharacter, bytes]);
    const end = endOfLastCharacter(all);
    const whole = all.subarray(0, end);
    if (!isUtf8(whole)) throw notJson();
    this.#halfCharacter = end === all.length ? NOTHING : Buffer.from(all.subarray(end));
    this.#parser.write(whole.toString());
    const { values } = this.#parser;
    this.#options.lease.take((values - this.#valuesCounted) * MEMORY_PER_VALUE);
    this.#valuesCounted = values;
  }
}

const NOTHING = Buffer.alloc(0);

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
