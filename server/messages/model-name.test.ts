import { expect, test } from "vitest";
import { withModelId } from "./model-name.ts";

test.each([
  ['{"model":"a","max_tokens":1.0}', '{"model":"large-1","max_tokens":1.0}'],
  [
    '{ "messages":[{"model":"a"}], "x":"\\"model\\":", "model" :\n "a\\"b" }',
    '{ "messages":[{"model":"a"}], "x":"\\"model\\":", "model" :\n "large-1" }',
  ],
  ['{"x":"model","m\\u006fdel":"a","é":1e400}', '{"x":"model","m\\u006fdel":"large-1","é":1e400}'],
])("of %s the model alone is another", (body, named) => {
  expect(withModelId(Buffer.from(body), "large-1").toString()).toBe(named);
});
