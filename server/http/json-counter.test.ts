import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonCounter } from "./json-counter.ts";
import { JsonParser, MAX_DEPTH, MAX_VALUES } from "./json-parser.ts";

/** Counts a text that comes in pieces which end at the places. */
function countOf(text: string, places: readonly number[] = []): number {
  const bytes = Buffer.from(text);
  const cuts = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  const counter = new JsonCounter();
  let start = 0;
  for (const end of [...cuts, bytes.length]) {
    counter.write(bytes.subarray(start, end));
    start = end;
  }
  return counter.values;
}

function parsedCountOf(text: string): number {
  const parser = new JsonParser();
  parser.write(text);
  parser.end();
  return parser.values;
}

test("it counts what the parser counts, however the text is written and cut", () => {
  const places = fc.array(fc.nat(), { maxLength: 20 });
  const indents = fc.constantFrom(undefined, 1, "\t");
  fc.assert(
    fc.property(fc.jsonValue(), indents, places, (value, indent, cuts) => {
      const text = JSON.stringify(value, null, indent);
      expect(countOf(text, cuts)).toBe(parsedCountOf(text));
    }),
  );
});

test.each([
  String.raw`["a\\",1,"\\\"",{"\"":"\\\\"}]`,
  String.raw`{"\\":"\"","é\u0022":[null,true,-1.5e3,""]}`,
  "[ ]",
  "1",
])("%s counts the same wherever it is cut", (text) => {
  const counts = Array.from(Buffer.from(text), (_, place) => countOf(text, [place, place + 1]));
  expect(new Set(counts)).toEqual(new Set([parsedCountOf(text)]));
});

test("it refuses as the parser does what holds more values or levels than a body may", () => {
  expect(() => countOf(`[${"1,".repeat(MAX_VALUES - 2)}1]`)).not.toThrow();
  expect(() => countOf(`[${"1,".repeat(MAX_VALUES - 1)}1]`)).toThrow(`more than ${MAX_VALUES} values`);
  expect(() => countOf("[".repeat(MAX_DEPTH))).not.toThrow();
  expect(() => countOf("[".repeat(MAX_DEPTH + 1))).toThrow(`more than ${MAX_DEPTH} levels`);
});

test.each([
  ['{"model":"m"}', "m"],
  ['{"a":{"model":"x"},"b":["model","x"],"c":"model","d":"x", "model" :\n"m"}', "m"],
  ['{"model":"first","model":"second"}', "first"],
  ['{"model":{"model":"x"},"a":"y"}', null],
  ['{"model":5,"a":"x"}', null],
  ['["model","x"]', null],
  [String.raw`{"model":"\u006d"}`, null],
  [String.raw`{"mode\u006c":"m"}`, null],
  [`{"model":"${"m".repeat(1_025)}"}`, null],
])("of %s it sees what the field says that it looks for", (text, seen) => {
  const counter = new JsonCounter("model");
  counter.write(Buffer.from(text));
  expect(counter.seenText).toBe(seen);
});

test("wherever a text is cut, it sees of the field what it says or nothing", () => {
  const bytes = Buffer.from('{"a":"model","b":"x","model":5,"c":"x","model":"m"}');
  for (let place = 0; place <= bytes.length; place += 1) {
    const counter = new JsonCounter("model");
    counter.write(bytes.subarray(0, place));
    counter.write(bytes.subarray(place));
    expect([null, "m"]).toContain(counter.seenText);
  }
});

test("a number that is longer than any is no JSON", () => {
  expect(() => countOf(`[${"1".repeat(1_024)},1]`, [500])).not.toThrow();
  expect(() => countOf(`[${"1".repeat(1_025)}]`, [500])).toThrow("not readable as JSON");
});
