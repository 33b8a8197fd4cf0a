import { expect, test } from "vitest";
import { readRequest } from "./read-request.ts";
import { extractOf, factsOf } from "./request-extract.ts";

const MOST = 1_000_000;

function bodyOf(request: object) {
  const bytes = Buffer.from(JSON.stringify(request));
  return { length: bytes.length, pieces: [bytes], json: request, extract: extractOf(request, bytes) };
}

const saying = (content: unknown, more: object = {}) => ({
  model: "m",
  max_tokens: 10,
  messages: [{ role: "user", content }],
  ...more,
});

test.each([
  ["text that grows", saying("\ufdfa".repeat(50))],
  ["a picture", saying([{ type: "image", source: { type: "base64", media_type: "image/png", data: "x" } }])],
  ["tools and terms", saying("x", { tools: [{ name: "t", input_schema: {} }], speed: "fast" })],
  ["as much as the model takes", saying("x".repeat(MOST))],
])("of %s an extract tells the facts that the request tells", (_what, request) => {
  const body = bodyOf(request);
  expect(factsOf(body, MOST)).toEqual(readRequest(body, request, MOST));
  const { extract: _extract, ...whole } = body;
  expect(factsOf(whole, MOST)).toEqual(readRequest(body, request, MOST));
});

test.each([
  ["what is not known", saying("x", { audio: 1 })],
  ["a thread", saying("x", { thread: { id: "t" } })],
])("of %s an extract tells why it is refused, when it is asked", (_what, request) => {
  const body = bodyOf(request);
  const refusalBy = (read: () => unknown) => {
    try {
      return read();
    } catch (error) {
      return error;
    }
  };
  expect(body.extract.counted).toEqual([]);
  const refusal = refusalBy(() => readRequest(body, request, MOST));
  expect(refusal).toBeInstanceOf(Error);
  expect(refusalBy(() => factsOf(body, MOST))).toEqual(refusal);
});

test("what is longer than is looked into counts as what the model takes at the most", () => {
  const body = bodyOf(saying("\ufdfa".repeat(1_400_000)));
  expect(factsOf(body, 9_000_000).inputTokens).toBe(9_000_000);
  expect(factsOf(body, MOST)).toEqual(readRequest(body, body.json, MOST));
});
