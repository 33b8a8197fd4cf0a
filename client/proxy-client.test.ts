import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addModels, startTestAiProxy, type TestAiProxy } from "../server/testing/test-ai-proxy.ts";
import { MessageStreamError } from "./message-events.ts";
import { type MessageStream, readMessageStream } from "./message-stream.ts";
import { createProxyClient, type MessageRequest } from "./proxy-client.ts";

const REQUEST: MessageRequest = {
  model: "sim-echo",
  max_tokens: 100,
  messages: [{ role: "user", content: "Say hello to the shop." }],
};

let shop: TestAiProxy;
beforeAll(async () => {
  shop = await startTestAiProxy({ callReadOnMs: 0 });
  await addModels(shop, [
    "sim-echo",
    "sim-overloaded-7",
    "sim-cut-8",
    "sim-error-event-8",
    "sim-slow-tokens-600000",
  ]);
});
afterAll(() => shop.stop());

const client = (apiKey = shop.generalKey) => createProxyClient({ baseUrl: shop.proxyUrl, apiKey });

test("every operation reaches the service", async () => {
  const { messages, ...reads } = client();
  const { data: message, requestId } = await messages.create(REQUEST);
  expect(message?.content).toEqual([{ type: "text", text: "Say hello to the shop." }]);
  const { model, messages: said } = REQUEST;
  expect((await messages.countTokens({ model, messages: said })).data).toEqual({ input_tokens: 6 });
  expect((await reads.listModels()).data?.data.map(({ id }) => id)).toContain("sim-echo");
  expect((await reads.getModel("sim-echo")).data?.id).toBe("sim-echo");
  expect((await reads.getAccount()).data?.account.status).toBe("active");
  expect((await reads.listUsage({ limit: 1 })).data?.data).toMatchObject([{ request_id: requestId }]);
  expect((await reads.listLedger({ limit: 1 })).data?.data).toMatchObject([{ type: "call" }]);
});

test("an error is told by its type, with how long to wait", async () => {
  const { messages } = client();
  expect(await messages.create({ ...REQUEST, model: "sim-overloaded-7" })).toMatchObject({
    error: { type: "overloaded_error", status: 529, retryAfterMs: 7000, shouldRetry: true },
  });
  expect(await messages.create({ ...REQUEST, model: "none" })).toMatchObject({
    error: { type: "invalid_request_error", status: 400, shouldRetry: false },
  });
  expect(await client("svc_sk_none").getAccount()).toMatchObject({ error: { type: "authentication_error" } });
});

describe("a stream", () => {
  const streamOf = async (model: string, options = {}) => {
    const { data, error } = await client().messages.stream({ ...REQUEST, model }, options);
    if (data === undefined) throw new Error(error.message);
    return data;
  };
  const lastCall = () => shop.upstream.answered().at(-1);

  test("gives typed events, then the whole message and its usage", async () => {
    const stream = await streamOf("sim-echo");
    const types: string[] = [];
    let text = "";
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
    }
    expect(text).toBe("Say hello to the shop.");
    expect([types[0], types.at(-1)]).toEqual(["message_start", "message_stop"]);
    const { content, usage, stop_reason } = await stream.finalMessage();
    expect(content).toEqual([{ type: "text", text }]);
    expect([usage.input_tokens, usage.output_tokens, stop_reason]).toEqual([6, 5, "end_turn"]);
  });

  test("is read by finalMessage alone, with the inputs of tools", async () => {
    const tools = [
      {
        name: "look",
        input_schema: { type: "object", properties: { at: { enum: ["it"] } }, required: ["at"] },
      },
    ];
    const request = { ...REQUEST, tools, tool_choice: { type: "any" } };
    const { data } = await client().messages.stream(request);
    const message = await data?.finalMessage();
    expect(message?.content).toMatchObject([
      { type: "text" },
      { type: "tool_use", name: "look", input: { at: "it" } },
    ]);
  });

  test("that is refused is an error as any other", async () => {
    expect(await client().messages.stream({ ...REQUEST, model: "sim-overloaded-7" })).toMatchObject({
      error: { type: "overloaded_error", retryAfterMs: 7000 },
    });
  });

  test.each(["sim-cut-8", "sim-error-event-8"])(
    "that breaks throws, and has no message: %s",
    async (model) => {
      const stream = await streamOf(model);
      await expect(stream.finalMessage()).rejects.toThrow(MessageStreamError);
      await expect(stream.finalMessage()).rejects.toThrow(MessageStreamError);
    },
  );

  test("that ends before its last event throws to who reads its events", async () => {
    const start = `event: message_start\ndata: ${JSON.stringify({ type: "message_start", message: {} })}\n\n`;
    const controller = new AbortController();
    const body = new Blob([start]).stream();
    const stream = readMessageStream({ body, controller, idleTimeoutMs: 60_000 });
    const types: string[] = [];
    await expect(async () => {
      for await (const { type } of stream) types.push(type);
    }).rejects.toThrow(MessageStreamError);
    expect(types).toEqual(["message_start"]);
  });

  const endings: Record<string, (stream: MessageStream, controller: AbortController) => Promise<void>> = {
    "whose loop is left": async (stream) => {
      for await (const event of stream) if (event.type === "content_block_delta") break;
    },
    "that is aborted": async (stream) => {
      await expect(async () => {
        for await (const event of stream) if (event.type === "content_block_delta") stream.abort();
      }).rejects.toThrow("aborted");
    },
    "whose signal aborts": async (stream, controller) => {
      await expect(async () => {
        for await (const event of stream) {
          if (event.type === "content_block_delta") controller.abort(new Error("enough"));
        }
      }).rejects.toThrow("enough");
    },
    "that is silent for too long": async (stream) => {
      await expect(stream.finalMessage()).rejects.toThrow("silent");
    },
  };

  test.each(Object.entries(endings))("%s ends the request", async (name, end) => {
    const controller = new AbortController();
    const isSilent = name.includes("silent");
    const options = { signal: controller.signal, ...(isSilent ? { idleTimeoutMs: 200 } : {}) };
    const stream = await streamOf("sim-slow-tokens-600000", options);
    // The first piece of content comes, and no other.
    if (!isSilent) shop.upstream.endDelays();
    await end(stream, controller);
    await expect.poll(() => lastCall()?.end).toBe("client_gone");
    await expect
      .poll(async () => (await client().listUsage({ limit: 1 })).data?.data[0]?.outcome)
      .toBe("client_aborted");
  });
});

test("what does not fit the contract does not compile", () => {
  const { messages } = createProxyClient({ baseUrl: "https://shop.example", apiKey: "svc_sk_a" });
  // @ts-expect-error a required field is missing
  () => messages.create({ model: "a", messages: [] });
  // @ts-expect-error whether a message is streamed is told by the function
  () => messages.create({ ...REQUEST, stream: true });
});

test("the counts of a stream are its last ones, and null is none", async () => {
  const { usage } = await finalMessageOf([
    { type: "message_start", message: { content: [], usage: { input_tokens: 7, output_tokens: 1 } } },
    { type: "message_delta", delta: {}, usage: { input_tokens: null, output_tokens: 5 } },
    { type: "message_delta", delta: {}, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ]);
  expect(usage).toEqual({ input_tokens: 7, output_tokens: 9 });
});

test("what the pieces of a stream say is put together, block by block", async () => {
  const blocks = [
    { block: { type: "thinking", thinking: "", signature: "" } },
    { block: { type: "text", text: "" } },
    { block: { type: "tool_use", id: "t", name: "t", input: {} } },
  ];
  const pieces = [
    { index: 0, delta: { type: "thinking_delta", thinking: "Let " } },
    { index: 0, delta: { type: "thinking_delta", thinking: "me see" } },
    { index: 0, delta: { type: "signature_delta", signature: "sig" } },
    { index: 1, delta: { type: "text_delta", text: "Two" } },
    { index: 1, delta: { type: "text_delta", text: " parts" } },
    { index: 1, delta: { type: "citations_delta", citation: { cited_text: "a" } } },
    { index: 1, delta: { type: "citations_delta", citation: { cited_text: "b" } } },
    { index: 2, delta: { type: "input_json_delta", partial_json: '{"a":' } },
    { index: 2, delta: { type: "input_json_delta", partial_json: "1}" } },
  ];
  const { content } = await finalMessageOf([
    { type: "message_start", message: { content: [], usage: {} } },
    ...blocks.map(({ block }, index) => ({ type: "content_block_start", index, content_block: block })),
    ...pieces.map((piece) => ({ type: "content_block_delta", ...piece })),
    ...blocks.map((_, index) => ({ type: "content_block_stop", index })),
    { type: "message_stop" },
  ]);
  expect(content).toEqual([
    { type: "thinking", thinking: "Let me see", signature: "sig" },
    { type: "text", text: "Two parts", citations: [{ cited_text: "a" }, { cited_text: "b" }] },
    { type: "tool_use", id: "t", name: "t", input: { a: 1 } },
  ]);
});

/** The message that a stream of these events makes up. */
function finalMessageOf(events: readonly { readonly type: string; readonly [field: string]: unknown }[]) {
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  const stream = readMessageStream({
    body: new Response(text).body as ReadableStream<Uint8Array>,
    controller: new AbortController(),
    idleTimeoutMs: 60_000,
  });
  return stream.finalMessage();
}
