import { expect, test } from "vitest";
import { wordsOf } from "./fault-words.ts";

const place = (path: string, message: string) => ({ path, message });

test.each([
  ["/body/max_tokens", "must have required property 'max_tokens'", "max_tokens: Field required"],
  ["/body/messages/0/role", "must be string", "messages.0.role: Input should be a valid string"],
  ["/body/stream", "must be boolean,null", "stream: Input should be a valid boolean"],
  ["/body/tools", "must be array,null", "tools: Input should be a valid list"],
  ["/body/max_tokens", "must be >= 0", "max_tokens: Input should be greater than or equal to 0"],
  ["/query/limit", "must be <= 200", "limit: Input should be less than or equal to 200"],
  ["/body/messages", "must NOT have fewer than 1 items", "messages: List should have at least 1 item"],
  ["/body/a~1b~0c", "is odd", "a/b~c: is odd"],
  ["/body", "must be object", "Input should be a valid dictionary"],
])("%s %s", (path, message, words) => {
  expect(wordsOf([place(path, message)])).toBe(words);
});

test("the innermost of several places is told", () => {
  const places = [
    place("/body/system", "must be string,null"),
    place("/body/system/0/type", "must have required property 'type'"),
    place("/body/system", "must match a schema in anyOf"),
  ];
  expect(wordsOf(places)).toBe("system.0.type: Field required");
  expect(wordsOf([])).toBe(null);
});
