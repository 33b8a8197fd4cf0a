import type { Request, Response } from "express";
import { LRUCache } from "lru-cache";
import type { Representation } from "../representation.ts";
import { addressAskedAt, type IsTrustedProxy } from "../service-address.ts";

/** Stands in a text where the service's address belongs. */
export const ADDRESS = "@@SERVICE-ADDRESS@@";

/** A text that names the service's address. */
export interface AddressedText {
  /** With {@link ADDRESS} in the place of `https://host`. */
  readonly text: string;
  /** What it is where the address is not known. */
  readonly withoutAddress: string;
  readonly toRepresentation: (text: string, cacheControl: string) => Representation;
}

/** About 150 KB each, with what is compressed. */
const MAX_KEPT = 64;
/** What is made for an address that was not asked for before; compressing takes some milliseconds of a processor. */
const MAX_MADE_PER_SECOND = 16;

/**
 * Sends texts in which the service's address is filled in.
 *
 * Where it is set (`PUBLIC_URL`), there is one of each text, for everybody's caches. Else the address is the one that the
 * request came to: what was made for the last ones is kept, and who asks for ever new ones gets theirs uncompressed.
 */
export class AddressedTexts {
  readonly #publicUrl: string | null;
  readonly #isTrustedProxy: IsTrustedProxy;
  readonly #now: () => number;
  readonly #kept = new LRUCache<string, Representation>({ max: MAX_KEPT });
  #secondBeginsMs = 0;
  #madeInSecond = 0;

  /** @param publicUrl as URLs are written */
  constructor(publicUrl: string | null, isTrustedProxy: IsTrustedProxy, now: () => number = Date.now) {
    this.#publicUrl = publicUrl;
    this.#isTrustedProxy = isTrustedProxy;
    this.#now = now;
  }

  /** @param name what tells this text from the others */
  async send(req: Request, res: Response, name: string, addressed: AddressedText): Promise<void> {
    const address = this.#publicUrl ?? addressAskedAt(req, this.#isTrustedProxy);
    const key = `${name} ${address}`;
    const kept = this.#kept.get(key);
    if (kept) return kept.send(req, res);
    const text =
      address === null ? addressed.withoutAddress : addressed.text.replaceAll(ADDRESS, () => address);
    const scope = this.#publicUrl === null ? "private" : "public";
    const made = addressed.toRepresentation(text, `${scope}, no-cache`);
    if (!this.#mayKeep()) return made.send(req, res, { plain: true });
    this.#kept.set(key, made);
    return made.send(req, res);
  }

  #mayKeep(): boolean {
    const nowMs = this.#now();
    if (nowMs - this.#secondBeginsMs >= 1_000) {
      this.#secondBeginsMs = nowMs;
      this.#madeInSecond = 0;
    }
    this.#madeInSecond += 1;
    return this.#madeInSecond <= MAX_MADE_PER_SECOND;
  }
}
