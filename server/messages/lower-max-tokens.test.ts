import { expect, test } from "vitest";
import { withMaxTokens } from "./lower-max-tokens.ts";

function lowered(text: string): string {
  const bytes = Buffer.from(text);
  const pieces = [bytes.subarray(0, 7), bytes.subarray(7)];
  const body = withMaxTokens({ length: bytes.length, pieces, release() {} }, 12);
  const joined = Buffer.concat([...body.pieces]);
  expect(body.length).toBe(joined.length);
  return joined.toString();
}

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
])("of %s only the number changes", (text, expected) => {
  JSON.parse(text);
  expect(lowered(text)).toBe(expected);
});

test("what is let go of is gone", () => {
  let released = 0;
  const bytes = Buffer.from('{"max_tokens":9}');
  const release = () => {
    released += 1;
  };
  const body = withMaxTokens({ length: bytes.length, pieces: [bytes], release }, 3);
  body.release();
  expect([body.pieces, released]).toEqual([[], 1]);
});
