import fc from "fast-check";
import { expect, test } from "vitest";
import { textGrowthOf } from "./text-growth.ts";

/** By how many bytes a text takes more when it is normalized. */
function grownBy(text: string): number {
  return Buffer.byteLength(text.normalize("NFKC")) - Buffer.byteLength(text);
}

/** Code points that become others when they are normalized, and marks, which letters are put together with. */
const unsettled = Array.from({ length: 0x11_0000 }, (_, codePoint) => codePoint)
  .filter((codePoint) => codePoint >= 0x80 && (codePoint < 0xd800 || codePoint > 0xdfff))
  .map((codePoint) => String.fromCodePoint(codePoint))
  .filter((character) => /\p{M}/u.test(character) || character.normalize("NFKD") !== character);

test("covers what normalization makes of any text", () => {
  const characters = fc.oneof(
    fc.nat({ max: unsettled.length - 1 }).map((index) => unsettled[index] as string),
    fc.constantFrom("a", "E", " ", "\u0301", "\u0323", "\u0308", "\uff9e"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  const texts = fc.array(characters, { maxLength: 8 }).map((some) => some.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      expect(textGrowthOf(text)).toBeGreaterThanOrEqual(grownBy(text));
    }),
    { numRuns: 1_000 },
  );
});

test("is exact for each character by itself", () => {
  const wrong = unsettled.filter((one) => textGrowthOf(one) !== Math.max(0, grownBy(one)));
  expect(wrong).toEqual([]);
});

test.each([
  ["ASCII", 'plain text, {"code": [1, 2]}\n\t'],
  ["letters with accents", "Élève, größer, čeština, Ångström, ếửặ"],
  ["Korean, Japanese and Chinese", "안녕하세요 がぎぐ、こんにちは 你好，世界"],
  ["other scripts", "Привет שלום مرحبا नमस्ते สวัสดี ሰላም"],
  ["emoji", "😀👩‍👩‍👧‍👦❤️🇩🇪"],
])("%s do not grow", (_what, text) => {
  expect(textGrowthOf({ [text]: [text, null, 1, true] })).toBe(0);
});

test("counts every text of a value, and the names of its fields", () => {
  expect(textGrowthOf("\ufdfa")).toBe(30);
  expect(textGrowthOf([{ "\ufdfa": ["\ufdfa", { text: "a\ufdfab" }] }, null, 5])).toBe(90);
  // The dot below joins the letter, so that two marks stand alone.
  expect(textGrowthOf("\u01df\u0323")).toBeGreaterThanOrEqual(3);
});
