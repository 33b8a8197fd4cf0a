import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Request, Response } from "express";

type Encoding = "br" | "gzip";

/** In the order in which we prefer them. */
const ENCODINGS: readonly Encoding[] = ["br", "gzip"];

/** Below it compression saves no packet. */
const MIN_COMPRESSED_BYTES = 1_024;

/** Good enough for text, and ten times as fast as the best. */
const BROTLI_QUALITY = 6;

const compress: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: promisify(gzip),
};

/** What is sent to many, always the same: hashed once, and compressed once for each way that is asked for. */
export class Representation {
  readonly #bytes: Buffer;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #hash: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  /** @param headers among them Content-Type and Cache-Control */
  constructor(text: string | Buffer, headers: Readonly<Record<string, string>>) {
    this.#bytes = Buffer.from(text);
    this.#headers = headers;
    this.#hash = createHash("sha256").update(this.#bytes).digest("base64url").slice(0, 22);
  }

  /**
   * Answers GET and HEAD: 304 to who has it already, else compressed as the request allows.
   * @param options.plain does not compress: the work would be for this one answer
   */
  async send(req: Request, res: Response, { plain = false } = {}): Promise<void> {
    const isSmall = this.#bytes.length < MIN_COMPRESSED_BYTES;
    const encoding = plain || isSmall ? undefined : ENCODINGS.find((name) => req.acceptsEncodings(name));
    res.set(this.#headers).vary("Accept-Encoding");
    res.set("ETag", `"${this.#hash}${encoding ? `-${encoding}` : ""}"`);
    if (req.fresh) return void res.status(304).end();
    if (encoding) res.set("Content-Encoding", encoding);
    res.send(encoding ? await this.#in(encoding) : this.#bytes);
  }

  #in(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding);
    if (known) return known;
    const made = compress[encoding](this.#bytes);
    this.#compressed.set(encoding, made);
    return made;
  }
}
