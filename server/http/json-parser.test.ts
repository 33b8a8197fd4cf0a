import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonParser, MAX_DEPTH, MAX_VALUES } from "./json-parser.ts";

/** What comes of a text that is written in pieces which end at these places. */
function parse(text: string, cuts: readonly number[] = []): unknown {
  const parser = new JsonParser();
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((one, other) => one - other);
  let start = 0;
  for (const place of [...places, text.length]) {
    parser.write(text.slice(start, place));
    start = place;
  }
  return parser.end();
}

const cuts = fc.array(fc.nat(), { maxLength: 20 });
const written = fc.oneof(
  fc.json({ stringUnit: "binary" }),
  fc
    .tuple(fc.jsonValue({ stringUnit: "binary" }), fc.constantFrom(2, "\t", "\r\n "))
    .map(([value, space]) => JSON.stringify(value, null, space)),
  // Every character escaped, as parsers have to take it.
  fc
    .string({ unit: "binary" })
    .map(
      (text) =>
        `["${text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)}"]`,
    ),
);

test("a text comes to what JSON.parse makes of it, however it is cut", () => {
  fc.assert(
    fc.property(written, cuts, (text, places) => {
      expect(parse(text, places)).toEqual(JSON.parse(text));
    }),
  );
});

test("a text that is damaged is taken or refused as JSON.parse does", () => {
  const alphabet = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "\\u00",
    "1",
    "-",
    ".",
    "e",
    "+",
    "tru",
    "e",
    " ",
    "\t",
    "\0",
    "a",
    '"a":',
  ];
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.constantFrom("", ...alphabet)), {
    maxLength: 3,
  });
  const noise = fc.array(fc.constantFrom(...alphabet), { maxLength: 12 }).map((parts) => parts.join(""));
  const damaged = fc.tuple(written, damage).map(([text, changes]) =>
    changes.reduce((before, [at, length, put]) => {
      const place = at % (before.length + 1);
      return before.slice(0, place) + put + before.slice(place + length);
    }, text),
  );
  fc.assert(
    fc.property(fc.oneof(damaged, noise), cuts, (text, places) => {
      const mine = outcomeOf(() => parse(text, places));
      // A repeated field at the top is our own refusal.
      if (!mine.startsWith("The field")) expect(mine).toBe(outcomeOf(() => JSON.parse(text)));
    }),
    { numRuns: 1_000 },
  );
});

function outcomeOf(read: () => unknown): string {
  try {
    return JSON.stringify(read());
  } catch (error) {
    return error instanceof Error && error.message.startsWith("The field") ? error.message : "refused";
  }
}

test.each([
  ["a byte order mark in front", '\ufeff{"a":1}', { a: 1 }],
  ["a field called __proto__", '{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1}}')],
  [
    "numbers beyond all bounds",
    "[1e400,-0,9007199254740993]",
    [Number.POSITIVE_INFINITY, -0, 9007199254740992],
  ],
  ["names that are there again in another object", '[{"a":1},{"a":{"a":2}}]', [{ a: 1 }, { a: { a: 2 } }]],
])("%s is taken", (_what, text, value) => {
  for (let cut = 0; cut <= text.length; cut += 1) expect(parse(text, [cut])).toEqual(value);
});

test("a field that is there once more is found wherever it stands", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
      fc.nat(),
      cuts,
      (value, choice, places) => {
        const names = Object.keys(value);
        const name = JSON.stringify(names[choice % names.length]);
        const text = JSON.stringify(value);
        const refusal = `The field ${name} is there twice.`;
        expect(() => parse(`${text.slice(0, -1)},${name}:1}`, places)).toThrow(refusal);
        expect(() => parse(`{${name} : 1, ${text.slice(1)}`, places)).toThrow(refusal);
      },
    ),
  );
});

test.each([
  ["in other letters", String.raw`{"model":"a","mod\u0065l":"b"}`, true],
  ["inside another object", '{"a":{"model":1,"model":2},"model":3}', true],
  ["inside a list", '{"a":[{"model":1,"b":{},"model":2}]}', true],
  ["in an object and in one inside it", '{"a":{"model":1,"b":{"model":2}},"model":3}', false],
  ["as a value", '{"a":"model","b":"model","model":"model"}', false],
  ["behind an escaped quote", String.raw`{"a":"\\\"","a":1}`, true],
  ["as a name that every object has", '{"toString":1,"__proto__":1}', false],
])("a field is named twice %s", (_how, text, isRefused) => {
  if (isRefused) expect(() => parse(text)).toThrow("is there twice");
  else expect(parse(text)).toEqual(JSON.parse(text));
});

const PIECE = 16_384;

/** How many characters were written before the refusal, of a text that goes on for ever. */
function writtenBefore(refusal: string, beginning: string, repeated: string): number {
  const parser = new JsonParser();
  parser.write(beginning);
  const piece = repeated.repeat(Math.ceil(PIECE / repeated.length));
  for (let characters = 0; characters < 64 * 1024 ** 2; characters += piece.length) {
    try {
      parser.write(piece);
    } catch (error) {
      expect((error as Error).message).toBe(refusal);
      return characters + piece.length;
    }
  }
  return expect.unreachable("It was not refused.");
}

test("what holds too much is refused when it does, not at its end", () => {
  const tooMany = `The body holds more than ${MAX_VALUES} values and names of fields.`;
  for (const repeated of ["{},", "[],", "1,", '"",'])
    expect(writtenBefore(tooMany, '{"a":[', repeated)).toBeLessThan(MAX_VALUES * 4);
  expect(writtenBefore(tooMany, '{"a":[', '{"b":1},')).toBeLessThan(MAX_VALUES * 4);
  const tooDeep = `The body is nested more than ${MAX_DEPTH} levels deep.`;
  for (const repeated of ["[", '{"a":'])
    expect(writtenBefore(tooDeep, "[", repeated)).toBeLessThan(2 * PIECE);
  expect(writtenBefore("The name of a field is longer than 16384 characters.", '{"', "x")).toBeLessThan(
    4 * PIECE,
  );
  expect(writtenBefore("The body is not readable as JSON in UTF-8.", '{"a":', "1")).toBe(PIECE);
});

test("as much as is allowed is taken", () => {
  expect(parse(`[${"1,".repeat(MAX_VALUES - 2)}1]`)).toHaveLength(MAX_VALUES - 1);
  expect(() => parse("[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH))).not.toThrow();
  expect(() => parse("[".repeat(MAX_DEPTH + 1) + "]".repeat(MAX_DEPTH + 1))).toThrow("levels deep");
});

test("a text of some megabytes comes whole, with its escapes", () => {
  const text = 'a"\\\n\ud83d\ude00\u00e9'.repeat(300_000);
  const body = JSON.stringify({ text });
  const parser = new JsonParser();
  for (let start = 0; start < body.length; start += 9_973) parser.write(body.slice(start, start + 9_973));
  expect((parser.end() as { text: string }).text === text).toBe(true);
});
