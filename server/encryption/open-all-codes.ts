import { InvalidInputError } from "../errors.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import { countOf, pagesOf, type SealedTexts } from "./sealed-texts.ts";

const MAX_SHOWN = 100;

/** How far the opening of all codes is. */
export interface CodeAuditProgress {
  readonly opened: number;
  readonly total: number;
}

/** What came of opening all codes, or those from a place on. */
export interface CodeAudit {
  /** How many were tried. */
  readonly codes: number;
  /** How many of them cannot be opened. */
  readonly unreadable: number;
  /** The first 100 of those: `stock/PRODUCT:SEQUENCE` or `purchased/ORDER:POSITION`. */
  readonly places: readonly string[];
  /** Null when it came to the end; else the place from which the next run goes on. */
  readonly continueFrom: string | null;
}

/** What may be set of it. */
export interface CodeAuditOptions {
  /** The `continueFrom` of a run that was broken off. */
  readonly from?: string | undefined;
  /** Breaks it off, after the codes that are being opened. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: CodeAuditProgress) => void) | undefined;
}

/**
 * Opens every code there is: in stock, sold, and bought for orders. Changes nothing.
 * @throws {InvalidInputError} `from` is no such place.
 */
export async function openAllCodes(
  kinds: readonly SealedTexts[],
  cipher: Pick<Cipher, "decrypt">,
  { from, signal, onProgress }: CodeAuditOptions,
): Promise<CodeAudit> {
  const total = await countOf(kinds);
  const places: string[] = [];
  let codes = 0;
  let unreadable = 0;
  for await (const { kind, texts } of pagesOf(kinds, from === undefined ? null : placeOf(kinds, from))) {
    for (const { place, ciphertext, context } of texts) {
      if (opens(cipher, ciphertext, context)) continue;
      unreadable += 1;
      if (places.length < MAX_SHOWN) places.push(`${kind.name}/${place}`);
    }
    codes += texts.length;
    onProgress?.({ opened: codes, total });
    if (signal?.aborted)
      return { codes, unreadable, places, continueFrom: `${kind.name}/${texts.at(-1)?.place}` };
  }
  return { codes, unreadable, places, continueFrom: null };
}

/** Whether a ciphertext opens in its place. */
export function opens(cipher: Pick<Cipher, "decrypt">, ciphertext: Buffer, context: string): boolean {
  try {
    cipher.decrypt(ciphertext, context);
    return true;
  } catch {
    return false;
  }
}

function placeOf(kinds: readonly SealedTexts[], from: string): { name: string; place: string } {
  const [, name, place] = /^(\w+)\/(.+:\d+)$/.exec(from) ?? [];
  if (name === undefined || place === undefined || kinds.every((kind) => kind.name !== name))
    throw new InvalidInputError("Go on from a place that a run which was broken off has named.");
  return { name, place };
}
