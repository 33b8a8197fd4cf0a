import fc from "fast-check";
import { expect, test } from "vitest";
import { chargeOf } from "../calls/bill.ts";
import { highestChargeOf } from "../calls/highest-charge.ts";
import { InvalidInputError } from "../errors.ts";
import type { ModelPrices } from "../models/prices.ts";
import { billForUsage } from "../simulators/upstream/bill.ts";
import type { MessageRequest } from "../simulators/upstream/message-request.ts";
import { replyTo } from "../simulators/upstream/reply.ts";
import { DISTINCT_PRICES } from "../testing/test-ai-proxy.ts";
import { usd } from "../testing/test-shop.ts";
import { askedTermsOf } from "./asked-terms.ts";
import { boundsOf } from "./call-bounds.ts";
import { readRequest } from "./read-request.ts";

const MODEL_ID = "sim-echo";
const TIER = { ...DISTINCT_PRICES, aboveInputTokens: 2_000, cacheWriteHourMicrocents: usd("12") };
const PRICES: ModelPrices = {
  ...DISTINCT_PRICES,
  further: {
    cacheWriteHourMicrocents: usd("6"),
    tiers: [{ ...TIER, inputMicrocents: usd("6"), outputMicrocents: usd("22.5") }],
    factors: { speed: { fast: 600 }, inferenceGeo: { us: 110 }, serviceTier: { priority: 150 } },
    // Dearer than what its results come to.
    toolUses: { web_search: usd("5") },
  },
};
const MODEL = { modelId: MODEL_ID, prices: PRICES, maxOutputTokens: 5_000 };

const text = fc.string({ unit: "binary", maxLength: 60 });
const words = fc.array(fc.constantFrom("web_search", "web_fetch", "hello", "go"), { maxLength: 8 });
// Small requests leave no slack for what is beside their text.
const data = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 30_000 })).map((bytes) => "A".repeat(bytes));
const cacheControl = fc.option(
  fc.record({ type: fc.constant("ephemeral"), ttl: fc.constantFrom("5m", "1h") }),
  { nil: undefined },
);

const picture = fc.record({
  type: fc.constant("image"),
  source: fc.oneof(
    fc.record({ type: fc.constant("base64"), media_type: fc.constantFrom("image/png", "image/tiff"), data }),
    fc.record({ type: fc.constant("url"), url: fc.constant("https://a.example") }),
  ),
});
const textBlock = fc.record({ type: fc.constant("text"), text, cache_control: cacheControl });
const plainDocument = fc.record({
  type: fc.constant("document"),
  source: fc.oneof(
    fc.record({ type: fc.constant("base64"), media_type: fc.constant("application/pdf"), data }),
    fc.record({ type: fc.constant("text"), media_type: fc.constant("text/plain"), data: text }),
    fc.record({
      type: fc.constant("content"),
      content: fc.array(fc.oneof(textBlock, picture), { maxLength: 3 }),
    }),
  ),
});
const opaque = (type: string) =>
  fc.record({
    type: fc.constant(type),
    id: fc.constant("t"),
    name: fc.constant("t"),
    input: fc.oneof(fc.jsonValue(), picture),
  });
const nested = (type: string) =>
  fc.record({
    type: fc.constant(type),
    tool_use_id: fc.constant("t"),
    content: fc.array(fc.oneof(textBlock, picture, plainDocument), { maxLength: 3 }),
  });
const OPAQUE = ["tool_use", "server_tool_use", "mcp_tool_use"];
const NESTED = ["tool_result", "mcp_tool_result", "web_search_tool_result"];
const PLAIN = ["thinking", "redacted_thinking", "tool_reference", "browser_state", "fallback", "compaction"];
const block = fc.oneof(
  textBlock,
  picture,
  plainDocument,
  ...OPAQUE.map(opaque),
  ...NESTED.map(nested),
  ...PLAIN.map((type) => fc.record({ type: fc.constant(type), text, signature: data })),
);
const tool = fc.oneof(
  fc.record({ name: fc.constant("hello"), description: text, input_schema: fc.record({ default: picture }) }),
  fc.record({ type: fc.constant("bash_20250124"), name: fc.constant("bash") }),
  fc.record({
    type: fc.constantFrom("web_search_20250305", "web_fetch_20250910"),
    name: fc.constantFrom("web_search", "web_fetch"),
    max_uses: fc.nat({ max: 4 }),
  }),
);
const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });

/** Requests with blocks and tools of every type, and every field that bears on the price. */
const requests = fc.record({
  model: fc.constant(MODEL_ID),
  max_tokens: fc.nat({ max: 300 }),
  messages: fc
    .tuple(fc.oneof(fc.constant([]), fc.array(block, { maxLength: 5 })), words)
    .map(([content, said]) => [
      { role: "user", content },
      { role: "user", content: said.join(" ") },
    ]),
  system: optional(fc.oneof(text, fc.array(textBlock, { maxLength: 2 }))),
  tools: optional(fc.array(tool, { maxLength: 3 })),
  cache_control: cacheControl,
  speed: optional(fc.constantFrom("standard", "fast")),
  inference_geo: optional(fc.constantFrom("global", "us")),
  service_tier: optional(fc.constantFrom("auto", "standard_only")),
  context_management: optional(
    fc.constant({ edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 500 } }] }),
  ),
});

test("the hold covers what the upstream bills, whatever the request holds", () => {
  let covered = 0;
  fc.assert(
    fc.property(requests, (written) => {
      const body = Buffer.from(JSON.stringify(written));
      const json = JSON.parse(body.toString()) as MessageRequest & { speed?: string; inference_geo?: string };
      const hold = holdOf(body, json);
      // What it asks for is not offered.
      if (hold === null) return;
      const { usage, told } = replyTo(json, { kind: "sim-echo", number: 0 }, "msg_1");
      const billed = billForUsage(told, json, new Map([[MODEL_ID, PRICES]]));
      expect(billed).toBeLessThanOrEqual(hold);
      const asked = askedTermsOf(json);
      const { amountMicrocents } = chargeOf(usage, {
        model: MODEL,
        ...(asked === undefined ? {} : { asked }),
      });
      expect(amountMicrocents).toBeLessThanOrEqual(hold);
      covered += 1;
    }),
    { numRuns: 1_500 },
  );
  expect(covered).toBeGreaterThan(300);
});

function holdOf(body: Buffer, json: MessageRequest): bigint | null {
  try {
    const facts = readRequest(body, json);
    return highestChargeOf(boundsOf(facts, { model: MODEL, maxTokens: json.max_tokens }), PRICES);
  } catch (error) {
    if (error instanceof InvalidInputError) return null;
    throw error;
  }
}
