import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BillingTerms, chargeOf } from "../calls/bill.ts";
import type { ModelPrices } from "../models/prices.ts";
import { billFor, billForUsage } from "../simulators/upstream/bill.ts";
import { anyCompletePrices, anyToldUsage } from "../testing/any-usage.ts";
import {
  addCallingAccount,
  addModels,
  clientOf,
  DISTINCT_PRICES,
  startTestAiProxy,
  type TestAiProxy,
} from "../testing/test-ai-proxy.ts";
import { usd } from "../testing/test-shop.ts";
import { readAnswerUsage, StreamReader } from "./usage-reader.ts";

const MODELS = ["m-1", "m-2"] as const;
const ALL_PRICES: ModelPrices = {
  ...DISTINCT_PRICES,
  further: {
    cacheWriteHourMicrocents: usd("6.0007"),
    tiers: [
      {
        aboveInputTokens: 200_000,
        inputMicrocents: usd("6.01"),
        outputMicrocents: usd("22.53"),
        cacheWriteMicrocents: usd("7.51"),
        cacheWriteHourMicrocents: usd("12.07"),
        cacheReadMicrocents: usd("0.61"),
      },
    ],
    factors: { speed: { fast: 610 }, inferenceGeo: { us: 113 }, serviceTier: { priority: 127 } },
    toolUses: { web_search: usd("0.01"), web_fetch: usd("0.0003") },
  },
};
const OTHER_PRICES: ModelPrices = {
  ...ALL_PRICES,
  inputMicrocents: usd("10.0003"),
  outputMicrocents: usd("50.0009"),
};
const list = new Map([
  ["sim-echo", ALL_PRICES],
  ["sim-silent", ALL_PRICES],
  ["sim-priority", ALL_PRICES],
  ["advisor-1", OTHER_PRICES],
]);

describe("a charge is the vendor's bill to the microcent", () => {
  const asked = fc.record({
    speed: fc.constantFrom(null, "fast", "standard"),
    inferenceGeo: fc.constantFrom(null, "us"),
  });

  test("for any usage, of an answer in one piece and of a stream", () => {
    fc.assert(
      fc.property(
        anyToldUsage([...MODELS]),
        anyCompletePrices(),
        anyCompletePrices(),
        asked,
        (told, prices, otherPrices, terms) => {
          const [modelId, otherId] = MODELS;
          const otherModels = [{ modelId: otherId, prices: otherPrices }];
          const billing: BillingTerms = { model: { modelId, prices }, otherModels, asked: terms };
          const request = { model: modelId, speed: terms.speed, inference_geo: terms.inferenceGeo };
          const both = new Map([[modelId, prices] as const, [otherId, otherPrices] as const]);
          const bill = billForUsage(told, request, both);
          for (const usage of [wholeUsage(told), streamedUsage(told)]) {
            const charge = chargeOf(usage, billing);
            expect(charge.amountMicrocents).toBe(bill);
            expect(charge.bill?.unpriced ?? []).toEqual([]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

function wholeUsage(told: object) {
  const usage = readAnswerUsage(Buffer.from(JSON.stringify({ type: "message", usage: told })));
  if (usage === null) throw new Error("No usage was read.");
  return usage.usage;
}

/** The beginning tells all but what comes with the end, and none of the output. */
function streamedUsage({ iterations, server_tool_use, output_tokens, ...told }: Record<string, unknown>) {
  const reader = new StreamReader();
  const counts = { input_tokens: told.input_tokens, cache_read_input_tokens: told.cache_read_input_tokens };
  const events = [
    { type: "message_start", message: { usage: { ...told, output_tokens: 1 } } },
    { type: "message_delta", delta: {}, usage: { ...counts, iterations, server_tool_use, output_tokens } },
  ];
  for (const event of events)
    reader.feed(Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  const seen = reader.seen();
  if (seen === null) throw new Error("No usage was read.");
  return seen.usage;
}

describe("a call through the service is charged what the simulated vendor bills", () => {
  let shop: TestAiProxy;
  beforeAll(async () => {
    shop = await startTestAiProxy();
    await addModels(shop, ["sim-echo", "sim-silent", "sim-priority"], { prices: ALL_PRICES });
    await addModels(shop, ["advisor-1"], { prices: OTHER_PRICES });
  });
  beforeEach(() => {
    shop.upstream.setFaults([]);
    shop.upstream.forget();
  });
  afterAll(() => shop.stop());

  /** Makes a call, and compares what it was charged with the bill, the balance with both. */
  async function expectBilled(body: object, { stream }: { stream: boolean }): Promise<void> {
    const account = await addCallingAccount(shop, "1000000");
    const before = await account.balance();
    const client = clientOf(shop.proxyUrl, account.key);
    const request = {
      ...{ model: "sim-echo", max_tokens: 100, messages: [{ role: "user" as const, content: "hello" }] },
      ...body,
    };
    if (stream) await client.messages.stream(request).finalMessage();
    else await client.messages.create(request);
    const [call] = await account.settled();
    const sent = shop.upstream.answered().at(-1);
    if (call === undefined || sent === undefined) throw new Error("No call was made.");
    const bill = billFor(sent, list);
    expect([call.amountMicrocents, call.bill?.unpriced ?? []]).toEqual([bill, []]);
    expect(before - (await account.balance())).toBe(bill);
  }

  const cached = (ttl: string) => [
    {
      role: "user",
      content: [{ type: "text", text: "a".repeat(400), cache_control: { type: "ephemeral", ttl } }],
    },
  ];
  test.each<[string, object]>([
    ["plain", {}],
    ["with cache writes of five minutes", { messages: cached("5m") }],
    ["with cache writes of an hour", { messages: cached("1h") }],
    ["at a speed", { speed: "fast" }],
    ["at a speed of which the answer says nothing", { speed: "fast", model: "sim-silent" }],
    ["in a region", { inference_geo: "us" }],
    ["in a service tier", { model: "sim-priority" }],
    ["above a tier's threshold", { messages: [{ role: "user", content: "a".repeat(900_000) }] }],
  ])("%s", async (_how, body) => {
    for (const stream of [false, true]) await expectBilled(body, { stream });
  });

  test("with searches, whose results are read as input", async () => {
    const tools = [{ type: "web_search_20250305", name: "web_search", max_uses: 3 }];
    const messages = [{ role: "user", content: "web_search and again web_search" }];
    for (const stream of [false, true]) await expectBilled({ tools, messages }, { stream });
    const [call] = shop.upstream.answered();
    expect(call?.told).toMatchObject({ server_tool_use: { web_search_requests: 2 }, iterations: [{}, {}] });
  });

  test("with advice and a compaction, each at its own model's prices", async () => {
    const body = {
      ...{ model: "sim-echo", max_tokens: 100, messages: [{ role: "user", content: "Ask the advisor." }] },
      tools: [{ type: "advisor_20260301", name: "advisor", model: "advisor-1" }],
      context_management: {
        edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 1 } }],
      },
    };
    const { url, apiKey } = shop.upstream;
    const headers = { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
    const answer = await fetch(`${url}/v1/messages`, { method: "POST", headers, body: JSON.stringify(body) });
    const usage = readAnswerUsage(Buffer.from(await answer.arrayBuffer()))?.usage;
    const [sent] = shop.upstream.answered();
    if (usage === undefined || sent === undefined) throw new Error("There is no usage.");
    expect(usage.further?.iterations.map(({ type }) => type)).toEqual([
      "compaction",
      "message",
      "advisor_message",
    ]);
    const { amountMicrocents, bill } = chargeOf(usage, {
      model: { modelId: "sim-echo", prices: ALL_PRICES },
      otherModels: [{ modelId: "advisor-1", prices: OTHER_PRICES }],
    });
    expect([amountMicrocents, bill?.unpriced]).toEqual([billFor(sent, list), []]);
  });

  test("and marked when it bills what nobody knows", async () => {
    shop.upstream.setFaults([{ as: "sim-unknown-usage-7" }]);
    const account = await addCallingAccount(shop);
    const before = shop.calls.unpricedCalls();
    await clientOf(shop.proxyUrl, account.key).messages.create({
      ...{ model: "sim-echo", max_tokens: 100, messages: [{ role: "user", content: "hello" }] },
    });
    const [call] = await account.settled();
    const [sent] = shop.upstream.answered();
    expect(call?.bill?.unpriced).toEqual(["moon_tokens"]);
    expect(call?.amountMicrocents).toBe(sent === undefined ? null : billFor(sent, list));
    expect(shop.calls.unpricedCalls()).toBe(before + 1);
  });

  test("for whatever usage an answer tells", async () => {
    let stream = false;
    await fc.assert(
      fc.asyncProperty(anyToldUsage(["sim-echo", "sim-echo"]), async (usage) => {
        shop.upstream.setFaults([{ as: "sim-echo", usage }]);
        stream = !stream;
        await expectBilled({}, { stream });
      }),
      { numRuns: 30 },
    );
  });
});
