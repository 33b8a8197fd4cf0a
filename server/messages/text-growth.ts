/** Code points from here on take no more bytes than before, whatever is made of them. */
const MOST_GROWING = 0x2_0000;
const MARK = /\p{M}/u;
const NOT_LOOKED_UP = 0xff;

/**
 * By how many bytes at the most the texts of a value take more when a tokenizer normalizes them (NFKC) before it makes tokens
 * of their bytes, as the one does that the vendor has published: of the 3 bytes of U+FDFA that makes 33, and 15 tokens.
 *
 * The texts themselves are not normalized: of a run of marks, that takes a time that grows with its square.
 * @param value parsed JSON; the names of its fields are texts too.
 */
export function textGrowthOf(value: unknown): number {
  if (typeof value === "string") return growthOf(value);
  if (typeof value !== "object" || value === null) return 0;
  let growth = 0;
  if (Array.isArray(value)) for (const item of value) growth += textGrowthOf(item);
  else
    for (const name in value)
      growth += growthOf(name) + textGrowthOf((value as Record<string, unknown>)[name]);
  return growth;
}

function growthOf(text: string): number {
  if (isAscii(text)) return 0;
  let growth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const codePoint = text.codePointAt(index) as number;
    if (codePoint > 0xffff) index += 1;
    const apart = growthDecomposed(codePoint);
    // A letter is put together again, unless a mark that follows it joins it in place of its own.
    if (apart > 0) growth += isMark(text.codePointAt(index + 1)) ? apart : growthComposed(codePoint);
  }
  return growth;
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function isMark(codePoint: number | undefined): boolean {
  return codePoint !== undefined && codePoint >= 0x80 && MARK.test(String.fromCodePoint(codePoint));
}

const growthComposed = createGrowthTable("NFKC");
const growthDecomposed = createGrowthTable("NFKD");

/** By how many bytes a code point takes more in a form; looked up once. */
function createGrowthTable(form: "NFKC" | "NFKD"): (codePoint: number) => number {
  const table = new Uint8Array(MOST_GROWING).fill(NOT_LOOKED_UP);
  return (codePoint) => {
    if (codePoint < 0x80 || codePoint >= MOST_GROWING) return 0;
    const known = table[codePoint] as number;
    if (known !== NOT_LOOKED_UP) return known;
    const character = String.fromCodePoint(codePoint);
    const growth = Buffer.byteLength(character.normalize(form)) - Buffer.byteLength(character);
    table[codePoint] = Math.max(0, growth);
    return table[codePoint] as number;
  };
}
