import { describe, expect, test } from "vitest";
import { NO_FACTS } from "../models/facts.ts";
import type { ModelPrices } from "../models/prices.ts";
import { DISTINCT_PRICES } from "../testing/test-ai-proxy.ts";
import { usd } from "../testing/test-shop.ts";
import { boundsOf } from "./call-bounds.ts";
import { readRequest } from "./read-request.ts";

const PRICED: ModelPrices = {
  ...DISTINCT_PRICES,
  further: {
    cacheWriteHourMicrocents: usd("6"),
    tiers: [],
    factors: { speed: { fast: 600 }, inferenceGeo: { us: 110 }, serviceTier: { priority: 150 } },
    toolUses: { web_search: usd("0.01") },
  },
};

interface Settings {
  readonly prices?: ModelPrices;
  readonly maxOutputTokens?: number | null;
  readonly maxTokens?: number;
  readonly maxInputTokens?: number | null;
  readonly betas?: string;
}

function boundsFor(
  json: object,
  {
    prices = PRICED,
    maxOutputTokens = null,
    maxTokens = 100,
    maxInputTokens = null,
    betas = "",
  }: Settings = {},
) {
  const facts = readRequest(Buffer.from(JSON.stringify(json)), json);
  const model = { modelId: "m", prices, maxOutputTokens, facts: { ...NO_FACTS, maxInputTokens } };
  return boundsOf(facts, { model, maxTokens, betas });
}

const bytesOf = (json: object) => Buffer.byteLength(JSON.stringify(json));
const tools = (...list: object[]) => ({ tools: list });
const search = (of: object = {}) => ({ type: "web_search_20250305", name: "web_search", ...of });

describe("tokens", () => {
  test("are the body's, and the output that is asked for", () => {
    const body = { system: "be brief" };
    const bounds = { inputTokens: bytesOf(body), outputTokens: 100, isOneRun: true };
    expect(boundsFor(body)).toMatchObject(bounds);
    expect(boundsFor({ system: "x".repeat(2_000_000) }).inputTokens).toBe(1_000_000);
    expect(
      boundsFor({ messages: [{ content: [{ type: "document", source: { type: "url", url: "u" } }] }] }),
    ).toMatchObject({
      inputTokens: 1_000_000,
    });
  });

  test("of input are at most what the model takes, as far as the operator has said it", () => {
    const document = { type: "document", source: { type: "url", url: "u" } };
    const body = { messages: [{ role: "user", content: [document] }] };
    const inputOf = (json: object, settings: Settings) => boundsFor(json, settings).inputTokens;
    expect(inputOf(body, { maxInputTokens: 200_000 })).toBe(200_000);
    expect(inputOf({ system: "x".repeat(300_000) }, { maxInputTokens: 200_000 })).toBe(200_000);
    expect(inputOf(body, { maxInputTokens: 2_000_000 })).toBe(2_000_000);
    const fetching = tools({ type: "web_fetch_20250910", max_uses: 1 });
    expect(inputOf(fetching, { maxInputTokens: 200_000 })).toBe(400_000);
    const wider = { maxInputTokens: 200_000, betas: "files-api-2025-04-14,context-1m-2025-08-07" };
    expect(inputOf(body, wider)).toBe(1_000_000);
    expect(inputOf(body, { ...wider, betas: "context-management-2025-06-27" })).toBe(200_000);
  });

  test("of output are at most what the model gives", () => {
    expect(() => boundsFor({}, { maxOutputTokens: 99 })).toThrow(
      "max_tokens: 100 > 99, which is the maximum allowed number of output tokens for m",
    );
    expect(boundsFor({}, { maxOutputTokens: 100 }).outputTokens).toBe(100);
  });

  test("are those of a run after each use of a tool, with all results", () => {
    const body = tools(search({ max_uses: 3 }));
    const own = bytesOf(body) + 1_500;
    expect(boundsFor(body).inputTokens).toBe(4 * (own + 100 + 3 * 200 + 3 * 30_000));
    expect(boundsFor(body)).toMatchObject({ outputTokens: 100 + 3 * 200, isOneRun: false });
    expect(
      boundsFor(tools({ type: "web_fetch_20250910", max_uses: 1, max_content_tokens: 10 })).inputTokens,
    ).toBe(2_000_000);
    expect(boundsFor(tools(search({ max_uses: 0 })))).toMatchObject({ toolUses: { web_search: 0 } });
  });

  test("are those of a summary before each run", () => {
    const body = { compaction: { type: "summarize" } };
    expect(boundsFor(body, { maxOutputTokens: 1_000 })).toMatchObject({
      inputTokens: 2 * bytesOf(body),
      outputTokens: 1_100,
      isOneRun: false,
    });
    expect(() => boundsFor(body)).toThrow("compaction: Not offered by this shop: m has no most output.");
  });
});

describe("prices", () => {
  test("are those that the request asks for, or may get", () => {
    expect(boundsFor({}).terms).toEqual({ speed: [], inferenceGeo: ["us"], serviceTier: ["priority"] });
    expect(boundsFor({ service_tier: "auto" }).terms.serviceTier).toEqual(["priority"]);
    expect(
      boundsFor({ service_tier: "standard_only", inference_geo: "global", speed: "fast" }).terms,
    ).toEqual({
      speed: ["fast"],
      inferenceGeo: ["global"],
      serviceTier: [],
    });
    expect(boundsFor({ cache_control: { type: "ephemeral" } }).cacheWrites).toEqual(["5m"]);
    expect(boundsFor({ cache_control: { type: "ephemeral", ttl: "1h" } }).cacheWrites).toEqual(["5m", "1h"]);
    expect(boundsFor(tools(search({ max_uses: 2 }), search({ max_uses: 3 }))).toolUses).toEqual({
      web_search: 5,
    });
  });

  const plain = { prices: DISTINCT_PRICES };
  const noPrice = "Not offered by this shop: m has no price for";
  test.each([
    ["speed", { speed: "fast" }, noPrice],
    ["inference_geo", { inference_geo: "us" }, noPrice],
    ["service_tier", { service_tier: "priority" }, noPrice],
    ["cache_control.ttl", { cache_control: { type: "ephemeral", ttl: "1h" } }, noPrice],
    ["tools.0", tools(search({ max_uses: 1 })), `${noPrice} web_search`],
  ])("of %s are asked for before it passes", (field, body, why) => {
    expect(() => boundsFor(body, plain)).toThrow(`${field}: ${why}`);
  });

  test("of an hour are asked for in every tier", () => {
    const { further } = PRICED;
    if (further === undefined) throw new Error("The model has no further prices.");
    const tier = { ...DISTINCT_PRICES, aboveInputTokens: 200_000, cacheWriteHourMicrocents: null };
    const prices = { ...PRICED, further: { ...further, tiers: [tier] } };
    expect(() => boundsFor({ cache_control: { type: "ephemeral", ttl: "1h" } }, { prices })).toThrow(
      "cache_control.ttl: ",
    );
  });

  test.each([
    ["tools.0.max_uses: Field required", search()],
    ["tools.0.max_uses: Input should be less than or equal to 1000", search({ max_uses: 1_001 })],
    ["tools.0: Not offered by this shop", { type: "code_execution_20250825" }],
    ["tools.0: Not offered by this shop", { type: "advisor_20260301", model: "m", max_uses: 1 }],
    ["tools.0: Not offered by this shop", { type: "mcp_toolset", mcp_server_name: "a" }],
    ["tools.0: Not offered by this shop", { type: "tool_search_tool_regex" }],
  ])("%s", (message, tool) => {
    expect(() => boundsFor(tools(tool))).toThrow(message);
  });

  test("of usual terms need not be there", () => {
    const usual = { speed: "standard", inference_geo: "global", service_tier: "auto" };
    expect(boundsFor(usual, plain).terms).toEqual({
      speed: ["standard"],
      inferenceGeo: ["global"],
      serviceTier: [],
    });
  });
});
