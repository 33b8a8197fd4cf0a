import { expect, test } from "vitest";
import type { SentBody } from "./upstream.ts";
import { withField } from "./with-field.ts";

function bodyOf(text: string, release = () => {}): SentBody {
  const bytes = Buffer.from(text);
  return { length: bytes.length, pieces: [bytes.subarray(0, 7), bytes.subarray(7)], release };
}

function changed(text: string, name: string, json: string): string {
  const body = withField(bodyOf(text), name, json);
  const joined = Buffer.concat(body.pieces);
  expect(body.length).toBe(joined.length);
  return joined.toString();
}

// More than any program writes; the whole of it fits a body.
const BLANKS = " ".repeat(5_000);

test.each([
  ['{"max_tokens":64000,"model":"m"}', '{"max_tokens":12,"model":"m"}'],
  ['{ "model" : "max_tokens", "max_tokens" \n:\t6.4e4 }', '{ "model" : "max_tokens", "max_tokens" \n:\t12 }'],
  [
    '{"metadata":{"max_tokens":1},"max\\u005ftokens":2}',
    '{"metadata":{"max_tokens":1},"max\\u005ftokens":12}',
  ],
  ['{"system":"\\"max_tokens\\":5 ä€","max_tokens":7}', '{"system":"\\"max_tokens\\":5 ä€","max_tokens":12}'],
  [
    '{"messages":[{"content":"{[\\\\"}],"max_tokens":7}',
    '{"messages":[{"content":"{[\\\\"}],"max_tokens":12}',
  ],
  [`{"max_tokens"${BLANKS}:${BLANKS}7}`, `{"max_tokens"${BLANKS}:${BLANKS}12}`],
])("of %s only the number changes", (text, expected) => {
  JSON.parse(text);
  expect(changed(text, "max_tokens", "12")).toBe(expected);
});

test.each([
  ['{"model":"a","max_tokens":1.0}', '{"model":"large-1","max_tokens":1.0}'],
  [
    '{ "messages":[{"model":"a"}], "x":"\\"model\\":", "model" :\n "a\\"b" }',
    '{ "messages":[{"model":"a"}], "x":"\\"model\\":", "model" :\n "large-1" }',
  ],
  ['{"x":"model","m\\u006fdel":"a","é":1e400}', '{"x":"model","m\\u006fdel":"large-1","é":1e400}'],
])("of %s the model alone is another", (text, expected) => {
  expect(changed(text, "model", '"large-1"')).toBe(expected);
});

test("what is let go of is gone, with what it was made of", () => {
  let released = 0;
  const body = withField(
    bodyOf('{"max_tokens":9}', () => {
      released += 1;
    }),
    "max_tokens",
    "3",
  );
  body.release();
  expect([body.pieces, released]).toEqual([[], 1]);
});
