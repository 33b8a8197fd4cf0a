import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonCounter } from "./json-counter.ts";
import { JsonParser, MAX_DEPTH, MAX_VALUES } from "./json-parser.ts";
import { parseAtOnce } from "./parse-at-once.ts";

/** What comes of reading, or what is said of a text that is refused. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return { json: read() };
  } catch (error) {
    return { refusal: (error as Error).message };
  }
}

/** As a body is read: what holds too much is refused while it is counted. */
function countedAndParsed(bytes: Buffer): unknown {
  const counter = new JsonCounter();
  counter.write(bytes);
  return parseAtOnce(bytes, counter.values);
}

function parsed(text: string): unknown {
  const parser = new JsonParser();
  parser.write(text);
  return parser.end();
}

/** Few names, so that objects have some of them twice. */
const name = fc.constantFrom("a", "b", "__proto__", "1", "\\u0061");
const written = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("1", "-0", "true", "null", '"x"', '"\\n\\u2028"', "1e999", "01", "tru", '"'),
    tie("object"),
    tie("list"),
  ),
  object: fc
    .array(fc.tuple(name, tie("value")), { maxLength: 4 })
    .map((fields) => `{${fields.map(([field, value]) => `"${field}":${value}`).join(", ")}}`),
  list: fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join()}]`),
})).value;

test("it makes of a text what the parser makes of it, and refuses it in the same words", () => {
  fc.assert(
    fc.property(fc.oneof(written, fc.json({ stringUnit: "binary" })), (text) => {
      expect(outcomeOf(() => countedAndParsed(Buffer.from(text)))).toEqual(outcomeOf(() => parsed(text)));
    }),
  );
});

test.each([
  ["a field that is there twice", '{"b":{"a":1,"a":1}}'],
  ["a field whose name is there twice when it is read", String.raw`{"a":1,"\u0061":1}`],
  ["a long name", `{"${"n".repeat(16_385)}":1}`],
  ["a long number", `[${"1".repeat(1_025)}]`],
  ["a long number at the end", "1".repeat(1_025)],
  ["many values", `[${"1,".repeat(MAX_VALUES)}1]`],
  ["many levels", "[".repeat(MAX_DEPTH + 1)],
  ["no end", '{"a":'],
])("%s is refused as the parser refuses it", (_what, text) => {
  const outcome = outcomeOf(() => countedAndParsed(Buffer.from(text)));
  expect(outcome).toHaveProperty("refusal");
  expect(outcome).toEqual(outcomeOf(() => parsed(text)));
});

test("a byte order mark is no part of the text, and what is no UTF-8 is refused", () => {
  expect(countedAndParsed(Buffer.from("\ufeff[1]"))).toEqual([1]);
  expect(() => countedAndParsed(Buffer.from([0x22, 0xff, 0x22]))).toThrow("not readable as JSON in UTF-8");
});
