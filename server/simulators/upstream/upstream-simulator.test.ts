import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { expect, onTestFinished, test } from "vitest";
import { startProgram } from "../../testing/program.ts";
import { startTestUpstream } from "../../testing/test-upstream.ts";
import { BEHAVIOUR_NAMES } from "./behaviour.ts";
import type { UpstreamSimulator } from "./upstream-simulator.ts";

const COUNT_PATH = "/v1/messages/count_tokens";
const WEATHER = {
  name: "get_weather",
  input_schema: {
    type: "object" as const,
    properties: { city: { type: "string" }, days: { type: "integer" }, unit: { enum: ["C", "F"] } },
  },
};

/** The vendor's own client, which is strict about the format. */
function clientOf({ url, apiKey }: UpstreamSimulator, maxRetries = 0): Anthropic {
  return new Anthropic({ baseURL: url, apiKey, maxRetries });
}

function ask(text: string, model = "sim-echo"): Anthropic.MessageCreateParamsNonStreaming {
  return { model, max_tokens: 100, messages: [{ role: "user", content: text }] };
}

/** A stream's raw text, as far as it came, and whether it ended as it should. */
async function readRaw({ url, apiKey }: UpstreamSimulator, model: string, path = "/v1/messages") {
  const response = await fetch(url + path, {
    method: "POST",
    redirect: "manual",
    headers: { "x-api-key": apiKey, "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ ...ask("one two three", model), stream: true }),
  });
  let text = "";
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    return { response, text, ended: true };
  } catch {
    return { response, text, ended: false };
  }
}

function eventsIn(text: string): string[] {
  return [...text.matchAll(/^event: (\S+)$/gm)].map(([, name = ""]) => name);
}

test("a message is the last text, with usage that follows from the request", async () => {
  const upstream = await startTestUpstream();
  const message = await clientOf(upstream).messages.create(ask("Hello, world, of words!", "any-name"));
  expect(message).toMatchObject({
    role: "assistant",
    model: "any-name",
    content: [{ type: "text", text: "Hello, world, of words!" }],
    stop_reason: "end_turn",
    // 25 bytes of JSON, four words.
    usage: { input_tokens: 7, output_tokens: 4, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
  });
  expect(upstream.answered()).toMatchObject([
    {
      requestId: message._request_id,
      model: "any-name",
      status: 200,
      usage: { inputTokens: 7, outputTokens: 4 },
      usageIsFinal: true,
      contentBytes: 23,
      end: "complete",
    },
  ]);
});

test("a stream adds up to the same message", async () => {
  const upstream = await startTestUpstream();
  const client = clientOf(upstream);
  const request = { ...ask("Grüße, wörtlich: anextremelylongwordthatiscut."), max_tokens: 3 };
  const whole = await client.messages.create(request);
  const streamed = await client.messages.stream(request).finalMessage();
  expect({ ...streamed, id: "" }).toMatchObject({ ...whole, id: "", usage: { output_tokens: 3 } });
  expect(streamed).toMatchObject({
    stop_reason: "max_tokens",
    content: [{ text: "Grüße, wörtlich: anextremelyl" }],
  });
  expect(upstream.answered()[1]).toMatchObject({ events: 9, usageIsFinal: true, end: "complete" });
});

test("cached input is half read and half written", async () => {
  const upstream = await startTestUpstream();
  const cached = {
    type: "text" as const,
    text: "x".repeat(64),
    cache_control: { type: "ephemeral" as const },
  };
  const request = { ...ask("Hello"), system: [cached] };
  const { usage } = await clientOf(upstream).messages.create(request);
  const tokens = Math.ceil(JSON.stringify(cached).length / 4);
  expect(usage).toMatchObject({
    input_tokens: 2,
    cache_read_input_tokens: Math.floor(tokens / 2),
    cache_creation_input_tokens: Math.ceil(tokens / 2),
  });
  const counted = await clientOf(upstream).messages.countTokens({
    ...request,
    max_tokens: undefined,
  } as never);
  expect(counted.input_tokens).toBe(2 + tokens);
});

test.each([
  ["chosen by name", "Hello", { type: "tool", name: "get_weather" }],
  ["chosen as any", "Hello", { type: "any" }],
  ["named in the text", "Please get_weather for me.", { type: "auto" }],
] as const)("a tool is used when it is %s", async (_, text, choice) => {
  const upstream = await startTestUpstream();
  const client = clientOf(upstream);
  const request = { ...ask(text), tools: [WEATHER], tool_choice: choice };
  const use = {
    type: "tool_use",
    name: "get_weather",
    input: { city: "simulated city", days: 1, unit: "C" },
  };
  const message = await client.messages.create(request);
  expect(message).toMatchObject({ stop_reason: "tool_use", content: [{ type: "text" }, use] });
  const streamed = await client.messages.stream(request).finalMessage();
  expect(streamed).toMatchObject({ stop_reason: "tool_use", content: [{ type: "text" }, use] });
  expect(streamed.usage).toMatchObject({ output_tokens: message.usage.output_tokens });
});

test("no tool is used without need, nor after its result", async () => {
  const upstream = await startTestUpstream();
  const client = clientOf(upstream);
  const plain = await client.messages.create({ ...ask("Hello"), tools: [WEATHER] });
  expect(plain.content).toEqual([{ type: "text", text: "Hello" }]);
  const result = { type: "tool_result" as const, tool_use_id: "toolu_1", content: "get_weather says rain" };
  const after = await client.messages.create({
    ...ask("Hello"),
    tools: [WEATHER],
    messages: [{ role: "user", content: [result] }],
  });
  expect(after.content).toEqual([{ type: "text", text: "get_weather says rain" }]);
});

test.each([
  ["sim-overloaded", 529, "overloaded_error"],
  ["sim-rate-limited", 429, "rate_limit_error"],
  ["sim-error", 500, "api_error"],
  ["sim-auth", 401, "authentication_error"],
  ["sim-invalid", 400, "invalid_request_error"],
  ["sim-status-413", 413, "request_too_large"],
  ["sim-status-418", 418, "invalid_request_error"],
])("%s is answered with %i %s", async (model, status, type) => {
  const upstream = await startTestUpstream();
  for (const path of ["/v1/messages", COUNT_PATH]) {
    const { response, text } = await readRaw(upstream, model, path);
    expect(response.status).toBe(status);
    expect(JSON.parse(text)).toEqual({
      type: "error",
      error: { type, message: expect.any(String) },
      request_id: response.headers.get("request-id"),
    });
    expect(response.headers.get("retry-after")).toBe(model === "sim-rate-limited" ? "1" : null);
  }
});

test.each([
  ["sim-cut-4", 4, false],
  ["sim-cut-early", 0, false],
  ["sim-error-event-4", 5, true],
  ["sim-events-100", 100, true],
  ["sim-deltas-1", 12, true],
  ["sim-no-usage", 9, true],
])("%s sends %i events", async (model, events, isWhole) => {
  const upstream = await startTestUpstream();
  const { text, ended } = await readRaw(upstream, model);
  expect(ended).toBe(isWhole);
  expect(eventsIn(text)).toHaveLength(events);
  const [sent] = upstream.answered();
  expect(sent).toMatchObject({ events, end: isWhole ? "complete" : "cut" });
  expect(sent?.usageIsFinal).toBe(eventsIn(text).includes("message_stop") && model !== "sim-no-usage");
  const deltas = [...text.matchAll(/"text_delta","text":("[^"]*")/g)].map(([, json = ""]) =>
    JSON.parse(json),
  );
  expect(sent?.contentBytes).toBe(Buffer.byteLength(deltas.join("")));
});

test("a stream of 200,000 events arrives whole", async () => {
  const { text, ended } = await readRaw(await startTestUpstream(), "sim-long");
  expect(ended).toBe(true);
  expect(eventsIn(text)).toHaveLength(200_000);
});

test("what is slow is slow, and what is huge is huge", async () => {
  const upstream = await startTestUpstream();
  const begin = performance.now();
  await readRaw(upstream, "sim-slow-start-50");
  await readRaw(upstream, "sim-slow-tokens-20");
  await readRaw(upstream, "sim-slow-start-50", COUNT_PATH);
  expect(performance.now() - begin).toBeGreaterThan(155);
  expect((await readRaw(upstream, "sim-huge-2")).text.length).toBeGreaterThan(2 * 1024 * 1024);
});

test.each(["/v1/messages", COUNT_PATH])(
  "garbage, redirects, gateways and silence are as they are named at %s",
  async (path) => {
    const upstream = await startTestUpstream();
    expect((await readRaw(upstream, "sim-garbage", path)).text).toContain("{ this is no JSON");
    expect((await readRaw(upstream, "sim-redirect", path)).response.status).toBe(307);
    expect((await readRaw(upstream, "sim-gateway", path)).text).toContain("<html>");
    await expect(readRaw(upstream, "sim-no-answer", path)).rejects.toThrow("fetch failed");
  },
);

test("tokens are counted for a model that fails only later", async () => {
  const { response, text } = await readRaw(await startTestUpstream(), "sim-cut", COUNT_PATH);
  expect([response.status, text]).toEqual([200, '{"input_tokens":4}']);
});

test.each([
  ["sim-null-usage", null],
  ["sim-zero-usage", 0],
])("%s says %j at the end", async (model, value) => {
  const { text } = await readRaw(await startTestUpstream(), model);
  expect(text).toContain(
    `"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":${value},`,
  );
});

test("a rule makes requests fail and is used up", async () => {
  const upstream = await startTestUpstream();
  upstream.setFaults([
    { as: "sim-error", model: "other" },
    { as: "sim-overloaded", times: 2 },
  ]);
  const message = await clientOf(upstream, 2).messages.create(ask("Hello"));
  expect(message.content).toEqual([{ type: "text", text: "Hello" }]);
  expect(upstream.answered().map(({ status }) => status)).toEqual([529, 529, 200]);
  await expect(clientOf(upstream).messages.create(ask("Hello", "other"))).rejects.toMatchObject({
    status: 500,
  });
});

test("a client that hangs up is noticed", async () => {
  const upstream = await startTestUpstream();
  const stream = clientOf(upstream).messages.stream(ask("one two three", "sim-slow-tokens-10000"));
  await new Promise((resolve) => stream.once("connect", () => resolve(undefined)));
  stream.abort();
  await expect(stream.done()).rejects.toThrow();
  await expect.poll(() => upstream.answered()).toMatchObject([{ end: "client_gone", usageIsFinal: false }]);
});

test("an upstream that went away comes back at the same address", async () => {
  const upstream = await startTestUpstream();
  await upstream.down();
  await expect(clientOf(upstream).messages.create(ask("Hello"))).rejects.toThrow("Connection error");
  await upstream.up();
  await clientOf(upstream).messages.create(ask("Hello"));
});

test.each([
  ["a wrong key", 401, { headers: { "x-api-key": "other" } }],
  ["no version", 400, { headers: { "anthropic-version": "" }, without: "anthropic-version" }],
  ["no JSON", 400, { body: "{" }],
  ["no model", 400, { body: '{"max_tokens":1,"messages":[]}' }],
  ["no max_tokens", 400, { body: '{"model":"a","messages":[{"role":"user","content":"a"}]}' }],
  ["no messages", 400, { body: '{"model":"a","max_tokens":1,"messages":[]}' }],
  ["a message without content", 400, { body: '{"model":"a","max_tokens":1,"messages":[{"role":"user"}]}' }],
  ["another method", 405, { method: "PUT" }],
  ["another path", 404, { path: "/v1/other" }],
])(
  "%s is answered with %i",
  async (_, status, { path = "/v1/messages", method = "POST", ...rest }: Refused) => {
    const { url, apiKey } = await startTestUpstream();
    const headers = new Headers({ "x-api-key": apiKey, "anthropic-version": "2023-06-01", ...rest.headers });
    if (rest.without) headers.delete(rest.without);
    const response = await fetch(url + path, {
      method,
      headers,
      body: rest.body ?? JSON.stringify(ask("Hello")),
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ type: "error", error: { message: expect.any(String) } });
  },
);

interface Refused {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  without?: string;
  body?: string;
}

test("the models are listed", async () => {
  const { data } = await clientOf(await startTestUpstream()).models.list();
  expect(data.map(({ id }) => id)).toEqual(["sim-echo", ...BEHAVIOUR_NAMES]);
});

test("a process of its own answers and ends on SIGTERM", async () => {
  const args = [join(import.meta.dirname, "main.ts"), "--json", "--port", "0", "--key", "sk-mine"];
  const running = startProgram(process.execPath, args);
  onTestFinished(async () => void (await running.kill("SIGTERM")));
  const { url, apiKey } = JSON.parse(await running.printed(/^\{/));
  expect(apiKey).toBe("sk-mine");
  const client = new Anthropic({ baseURL: url, apiKey });
  expect((await client.messages.create(ask("Hello"))).content).toEqual([{ type: "text", text: "Hello" }]);
  expect((await running.kill("SIGTERM")).exitCode).toBe(0);
});
