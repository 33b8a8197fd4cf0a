import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  addModels,
  ask,
  clientOf,
  DISTINCT_PRICES,
  startTestAiProxy,
  type TestAiProxy,
} from "../testing/test-ai-proxy.ts";

const FAULTS = [
  "sim-rate-limited-1",
  "sim-overloaded",
  "sim-error",
  "sim-auth",
  "sim-invalid",
  "sim-error-event-4",
];
const WEATHER: Anthropic.Tool = {
  name: "get_weather",
  description: "The weather at a place.",
  input_schema: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } },
};

let shop: TestAiProxy;
let client: Anthropic;

beforeAll(async () => {
  shop = await startTestAiProxy();
  await addModels(shop, ["sim-echo", ...FAULTS]);
});

beforeEach(() => {
  shop.upstream.setFaults([]);
  shop.upstream.forget();
  client = clientOf(shop.proxyUrl, shop.generalKey);
});

afterAll(() => shop.stop());

/** The balance when no call is under way. */
async function settledBalance(): Promise<bigint> {
  await expect.poll(async () => (await shop.accounts.get(shop.accountId)).reservedMicrocents).toBe(0n);
  return (await shop.accounts.get(shop.accountId)).balanceMicrocents;
}

describe("the vendor's SDK", () => {
  test("creates a message, with its key in either header", async () => {
    for (const one of [
      client,
      clientOf(shop.proxyUrl, shop.generalKey, { apiKey: null, authToken: shop.generalKey }),
    ]) {
      const { data, request_id: requestId } = await one.messages.create(ask("Good morning")).withResponse();
      expect(data).toMatchObject({
        type: "message",
        role: "assistant",
        model: "sim-echo",
        content: [{ type: "text", text: "Good morning" }],
        stop_reason: "end_turn",
        usage: { output_tokens: 2 },
      });
      expect(requestId).toBe(shop.upstream.answered().at(-1)?.requestId);
    }
  });

  test("streams a message and assembles it", async () => {
    const stream = client.messages.stream(ask("one two three"));
    const pieces: string[] = [];
    stream.on("text", (piece) => pieces.push(piece));
    const message = await stream.finalMessage();
    expect(pieces).toEqual(["one ", "two ", "three"]);
    expect(message.content).toEqual([{ type: "text", text: "one two three" }]);
    const [sent] = shop.upstream.answered();
    expect(message.usage).toMatchObject({
      input_tokens: sent?.usage?.inputTokens,
      output_tokens: 3,
    });
    // Whoever has the whole message finds it charged.
    const [call] = await shop.calls.list(shop.accountId, 1);
    expect(call).toMatchObject({ outcome: "completed", estimated: false, usage: sent?.usage });
    expect(call?.amountMicrocents).toBe(
      (BigInt(sent?.usage?.inputTokens ?? 0) * DISTINCT_PRICES.inputMicrocents +
        3n * DISTINCT_PRICES.outputMicrocents) /
        1_000_000n,
    );
  });

  test("iterates over the events of a stream", async () => {
    const types: string[] = [];
    for await (const event of await client.messages.create({ ...ask("hello"), stream: true }))
      types.push(event.type);
    expect(types).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  test.each([false, true])("uses tools and gives their results back (stream: %j)", async (streamed) => {
    const request = { ...ask("What does get_weather say?"), tools: [WEATHER] };
    const message = streamed
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    expect(message.stop_reason).toBe("tool_use");
    const use = message.content.find((block) => block.type === "tool_use");
    expect(use).toMatchObject({ name: "get_weather", input: { city: "simulated city", days: 1 } });
    const answer = await client.messages.create({
      ...request,
      messages: [
        ...request.messages,
        { role: "assistant", content: message.content },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: use?.id ?? "", content: "Sunny, 25 degrees." }],
        },
      ],
    });
    expect(answer.content).toEqual([{ type: "text", text: "Sunny, 25 degrees." }]);
  });

  test("counts tokens, also by its beta interface, free", async () => {
    const before = await shop.calls.list(shop.accountId, 200);
    const { messages } = ask("How much is this?");
    const counted = await client.messages.countTokens({ model: "sim-echo", messages });
    const beta = await client.beta.messages.countTokens({
      model: "sim-echo",
      messages,
      betas: ["some-beta"],
    });
    const withQuery = await client.messages.countTokens(
      { model: "sim-echo", messages },
      { query: { beta: true } },
    );
    expect(counted.input_tokens).toBeGreaterThan(0);
    expect([beta.input_tokens, withQuery.input_tokens]).toEqual([counted.input_tokens, counted.input_tokens]);
    const [plain, ofBeta, ofQuery] = shop.upstream.answered();
    expect(plain?.path).toBe("/v1/messages/count_tokens");
    expect(ofBeta?.headers["anthropic-beta"]).toContain("some-beta");
    expect(ofQuery?.path).toBe("/v1/messages/count_tokens?beta=true");
    expect(await shop.calls.list(shop.accountId, 200)).toEqual(before);
  });

  test("lists the models, and not those that are disabled", async () => {
    await addModels(shop, ["sim-gone"]);
    await shop.models.disable("sim-gone");
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toContain("sim-echo");
    expect(ids).not.toContain("sim-gone");
    await expect(client.messages.create(ask("hello", "sim-gone"))).rejects.toBeInstanceOf(
      Anthropic.BadRequestError,
    );
  });

  test.each([
    ["sim-unknown", Anthropic.BadRequestError, 400, "invalid_request_error"],
    ["sim-invalid", Anthropic.BadRequestError, 400, "invalid_request_error"],
    ["sim-rate-limited-1", Anthropic.RateLimitError, 429, "rate_limit_error"],
    ["sim-overloaded", Anthropic.InternalServerError, 529, "overloaded_error"],
    ["sim-error", Anthropic.InternalServerError, 502, "api_error"],
    ["sim-auth", Anthropic.InternalServerError, 500, "api_error"],
  ])("throws for %s what it throws for the vendor", async (model, type, status, errorType) => {
    const before = await settledBalance();
    const attempts = [
      () => client.messages.create(ask("a", model)),
      () => client.messages.stream(ask("a", model)).done(),
    ];
    for (const attempt of attempts) {
      const error = await attempt().then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject({ status, error: { type: "error", error: { type: errorType } } });
      if (status === 429 || status === 529) {
        expect(
          Number((error as InstanceType<typeof Anthropic.APIError>).headers?.get("retry-after")),
        ).toBeGreaterThan(0);
      }
    }
    expect(await settledBalance()).toBe(before);
  });

  test("throws for keys that are wrong, and for an account without money", async () => {
    for (const apiKey of ["svc_sk_wrong", shop.orderingKey]) {
      await expect(clientOf(shop.proxyUrl, apiKey).messages.create(ask("a"))).rejects.toBeInstanceOf(
        Anthropic.AuthenticationError,
      );
    }
    const poor = await shop.addKey(await shop.addAccount("0"), "general");
    await expect(clientOf(shop.proxyUrl, poor.key).messages.create(ask("a"))).rejects.toMatchObject({
      status: 402,
      error: { error: { type: "billing_error" } },
    });
    expect(shop.upstream.answered()).toEqual([]);
  });

  test("throws for what is not there", async () => {
    await expect(client.get("/v1/other")).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  test("throws for a stream that breaks what the stream says", async () => {
    await expect(client.messages.stream(ask("a", "sim-error-event-4")).done()).rejects.toMatchObject({
      error: { error: { type: "overloaded_error" } },
    });
    shop.upstream.setFaults([{ as: "sim-cut-5" }]);
    await expect(client.messages.stream(ask("a")).done()).rejects.toMatchObject({
      error: { error: { type: "api_error" } },
    });
  });

  test("retries by itself while the upstream is overloaded, and is charged once", async () => {
    const before = await settledBalance();
    shop.upstream.setFaults([{ as: "sim-overloaded-1", times: 2 }]);
    const retrying = clientOf(shop.proxyUrl, shop.generalKey, { maxRetries: 2 });
    const { content } = await retrying.messages.create(ask("again"));
    expect(content).toEqual([{ type: "text", text: "again" }]);
    expect(shop.upstream.answered().map(({ status }) => status)).toEqual([529, 529, 200]);
    const [last, ...refused] = await shop.calls.list(shop.accountId, 3);
    expect(refused.map(({ outcome, amountMicrocents }) => [outcome, amountMicrocents])).toEqual([
      ["rejected", 0n],
      ["rejected", 0n],
    ]);
    expect(await settledBalance()).toBe(before - (last?.amountMicrocents ?? 0n));
  });
});
