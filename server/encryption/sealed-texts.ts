/** A text that is encrypted in the database. */
export interface SealedText {
  /** Where it is among those of its kind, which are read in this order. */
  readonly place: string;
  readonly ciphertext: Buffer;
  /** What binds the ciphertext to its place. */
  readonly context: string;
}

/** A text with the ciphertext that takes the place of its own. */
export interface ResealedText extends SealedText {
  readonly newCiphertext: Buffer;
}

/** One kind of what is encrypted in the database. */
export interface SealedTexts {
  /** Short, for places and programs. */
  readonly name: "stock" | "purchased" | "suppliers" | "totp" | "secrets";
  count(): Promise<number>;
  /** The next ones after a place; the first ones after "". */
  after(place: string, limit: number): Promise<readonly SealedText[]>;
  /** Puts new ciphertexts in the places of the old ones, where these are still there. */
  replace(texts: readonly ResealedText[]): Promise<void>;
}

/** Some texts of one kind. */
export interface Page {
  readonly kind: SealedTexts;
  readonly texts: readonly SealedText[];
}

const PAGE_TEXTS = 1_000;

/**
 * All texts of some kinds, page by page.
 * @param from the kind and place after which it begins; the beginning when null.
 */
export async function* pagesOf(
  kinds: readonly SealedTexts[],
  from: { readonly name: string; readonly place: string } | null = null,
): AsyncGenerator<Page> {
  const first = from === null ? 0 : kinds.findIndex(({ name }) => name === from.name);
  for (const kind of kinds.slice(first)) {
    let place = kind.name === from?.name ? from.place : "";
    for (;;) {
      const texts = await kind.after(place, PAGE_TEXTS);
      const last = texts.at(-1);
      if (last === undefined) break;
      yield { kind, texts };
      place = last.place;
    }
  }
}

/** How many texts there are of some kinds. */
export async function countOf(kinds: readonly SealedTexts[]): Promise<number> {
  const counts = await Promise.all(kinds.map((kind) => kind.count()));
  return counts.reduce((sum, count) => sum + count, 0);
}
