import { describe, expect, test } from "vitest";
import { NO_TOKENS, type TokenUsage } from "../calls/token-usage.ts";
import { withReported } from "./reported-usage.ts";

/** What an answer of the vendor's tells that used nothing but tokens. */
const PLAIN = {
  input_tokens: 10,
  output_tokens: 2,
  cache_creation_input_tokens: 4,
  cache_read_input_tokens: 3,
  cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 0 },
  output_tokens_details: { thinking_tokens: 1 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  fallback_credit: null,
  service_tier: "standard",
  inference_geo: null,
  speed: null,
  iterations: null,
};

function told(...reports: readonly object[]) {
  return reports.reduce<TokenUsage>((before, report) => withReported(before, report) ?? before, NO_TOKENS);
}

describe("usage that is told", () => {
  test("has nothing further when only tokens were used", () => {
    expect(told(PLAIN)).toEqual({
      inputTokens: 10,
      outputTokens: 2,
      cacheWriteTokens: 4,
      cacheReadTokens: 3,
    });
    expect(withReported(NO_TOKENS, {})).toBeNull();
  });

  test("has every counter of what not every call has", () => {
    const iteration = { input_tokens: 5, output_tokens: 6, cache_creation_input_tokens: 7 };
    const usage = told({
      ...PLAIN,
      cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 3 },
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
      service_tier: "priority",
      inference_geo: "us",
      speed: "fast",
      iterations: [
        { ...iteration, type: "message", model: null, cache_read_input_tokens: 1 },
        {
          ...iteration,
          type: "advisor_message",
          model: "m-2",
          cache_creation: { ephemeral_1h_input_tokens: 7 },
        },
      ],
    });
    const counts = { inputTokens: 5, outputTokens: 6, cacheWriteTokens: 7 };
    expect(usage.further).toEqual({
      cacheWriteHourTokens: 3,
      toolUses: { web_search: 2 },
      speed: "fast",
      inferenceGeo: "us",
      serviceTier: "priority",
      iterations: [
        { ...counts, type: "message", modelId: null, cacheReadTokens: 1, cacheWriteHourTokens: 0 },
        { ...counts, type: "advisor_message", modelId: "m-2", cacheReadTokens: 0, cacheWriteHourTokens: 7 },
      ],
      unknown: [],
    });
  });

  test("keeps what the beginning of a stream told and the end does not", () => {
    const start = { ...PLAIN, speed: "fast", server_tool_use: { web_search_requests: 1 } };
    const end = {
      output_tokens: 9,
      speed: null,
      server_tool_use: { web_search_requests: 4 },
      iterations: [],
    };
    expect(told(start, end)).toMatchObject({
      inputTokens: 10,
      outputTokens: 9,
      further: { speed: "fast", toolUses: { web_search: 4 } },
    });
    expect(told(start, { server_tool_use: null }).further?.toolUses).toEqual({ web_search: 1 });
  });

  test("keeps each term, run and unknown name that the end does not tell", () => {
    const run = { type: "compaction", model: null, input_tokens: 5, output_tokens: 6 };
    const start = {
      ...PLAIN,
      speed: "fast",
      inference_geo: "us",
      service_tier: "priority",
      iterations: [run],
      moon_tokens: 5,
    };
    const { further } = told(start);
    expect(further?.iterations).toHaveLength(1);
    expect(told(start, { output_tokens: 9 })).toEqual({ ...told(start), outputTokens: 9 });
    const nothing = { speed: null, inference_geo: null, service_tier: null, iterations: null };
    expect(told(start, { ...nothing, output_tokens: 9 }).further).toEqual(further);
  });

  test("takes cache writes that grow for an hour's when only such were told", () => {
    const start = { cache_creation_input_tokens: 8, cache_creation: { ephemeral_1h_input_tokens: 8 } };
    const end = { cache_creation_input_tokens: 20 };
    expect(told(start, end).further?.cacheWriteHourTokens).toBe(20);
    const mixed = { ...start, cache_creation_input_tokens: 9 };
    expect(told(mixed, end).further?.cacheWriteHourTokens).toBe(8);
  });

  test.each([
    [{ moon_tokens: 5 }, ["moon_tokens"]],
    [{ moon_tokens: 0, other: { deep: { count: 0 } } }, []],
    [{ other: { deep: [{ count: 1 }] } }, ["other"]],
    [{ cache_creation: { ephemeral_1d_input_tokens: 5 } }, ["cache_creation.ephemeral_1d_input_tokens"]],
    [{ server_tool_use: { code_execution_seconds: 5 } }, ["server_tool_use.code_execution_seconds"]],
    [{ iterations: [{ type: "message", moon_tokens: 5 }] }, ["iterations.moon_tokens"]],
    [{ "a name\nof two lines": 5 }, ["a?name?of?two?lines"]],
    [{ note: "7", flag: true }, []],
    [{ cache_read_input_tokens: "100000" }, ["cache_read_input_tokens"]],
    [{ cache_creation_input_tokens: 1.5, iterations: "x" }, ["cache_creation_input_tokens", "iterations"]],
    [{ cache_creation: { ephemeral_1h_input_tokens: "7" } }, ["cache_creation.ephemeral_1h_input_tokens"]],
    [{ cache_creation: 7 }, ["cache_creation"]],
    [{ server_tool_use: { web_search_requests: -1 } }, ["server_tool_use.web_search_requests"]],
    [{ server_tool_use: [] }, ["server_tool_use"]],
    [{ iterations: [{ type: "message", input_tokens: 0.5 }] }, ["iterations.input_tokens"]],
    [{ iterations: [7] }, ["iterations"]],
    [
      { iterations: [{ cache_creation: { ephemeral_1h_input_tokens: {} } }] },
      ["iterations.cache_creation.ephemeral_1h_input_tokens"],
    ],
  ])("names counters that are not known and not zero, or cannot be read: %j", (report, unknown) => {
    expect(told({ ...PLAIN, ...report }).further?.unknown ?? []).toEqual(unknown);
  });

  test("takes no text for a speed that is none, and names it", () => {
    expect(told({ ...PLAIN, speed: "very fast", inference_geo: 7, service_tier: {} }).further).toMatchObject({
      ...{ speed: null, inferenceGeo: null, serviceTier: null },
      unknown: ["speed", "inference_geo", "service_tier"],
    });
  });

  test("names itself where it is none", () => {
    const usage = withReported(told(PLAIN), "5 tokens");
    expect(usage).toEqual({ ...told(PLAIN), further: expect.objectContaining({ unknown: ["usage"] }) });
    expect(withReported(told(PLAIN), null)).toBeNull();
  });
});
