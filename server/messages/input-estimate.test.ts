import { expect, test } from "vitest";
import { estimateInput } from "./input-estimate.ts";

function estimate(json: object) {
  return estimateInput(Buffer.from(JSON.stringify(json)), json);
}

const message = (...content: object[]) => ({ messages: [{ role: "user", content }] });

test("the input is reckoned with one token for every 2 bytes", () => {
  expect(estimateInput(Buffer.alloc(1_001), {})).toEqual({ tokens: 1_001, cached: false });
});

test("a picture counts the same whatever its size, also in the result of a tool", () => {
  const picture = (data: string) => ({ type: "image", source: { type: "base64", data } });
  const small = estimate(message(picture("x"))).tokens;
  expect(estimate(message(picture("x".repeat(1_000_000)))).tokens).toBe(small);
  expect(small).toBeGreaterThan(5_000);
  const nested = estimate(message({ type: "tool_result", content: [picture("x".repeat(1_000_000))] })).tokens;
  expect(nested).toBeLessThan(6_000);
  expect(estimate(message({ type: "image", source: { type: "url", url: "https://a.example" } })).tokens).toBe(
    small + Math.ceil(("https://a.example".length - 1) / 2) - 1,
  );
});

test("a document counts by its bytes, or by an allowance where they are elsewhere", () => {
  const document = (source: object) => message({ type: "document", source });
  expect(estimate(document({ type: "base64", data: "x".repeat(10_000) })).tokens).toBeGreaterThan(5_000);
  expect(estimate(document({ type: "base64", data: "x".repeat(10_000) })).tokens).toBeLessThan(6_000);
  expect(estimate(document({ type: "file", file_id: "file_1" })).tokens).toBeGreaterThan(50_000);
});

test("a wish for the prompt cache is seen wherever it stands", () => {
  const cache_control = { type: "ephemeral" };
  expect(estimate({ cache_control }).cached).toBe(true);
  expect(estimate({ system: [{ type: "text", text: "a", cache_control }] }).cached).toBe(true);
  expect(estimate({ tools: [{ name: "a", cache_control }] }).cached).toBe(true);
  expect(estimate(message({ type: "tool_result", content: [{ cache_control }] })).cached).toBe(true);
  expect(estimate({ cache_control: null }).cached).toBe(false);
  expect(estimate(message({ type: "text", text: '"cache_control": {}' })).cached).toBe(false);
});

test("nesting of any depth is read", () => {
  const body = Buffer.from("[".repeat(1_000_000) + "]".repeat(1_000_000));
  let json: unknown[] = [];
  for (let depth = 1; depth < 1_000_000; depth += 1) json = [json];
  expect(estimateInput(body, json).tokens).toBe(1_000_500);
});
