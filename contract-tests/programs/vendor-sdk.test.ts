import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { jsonSchemaOutputFormat } from "@anthropic-ai/sdk/helpers/json-schema";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VENDOR_REFUSALS } from "../../server/simulators/upstream/refusals.ts";
import { type End, startTwoEnds, type TwoEnds } from "./two-ends.ts";

const REFUSALS = [
  "sim-thread-continued",
  "sim-not-allowed",
  "sim-thread-not-found",
  "sim-body-timeout",
  "sim-conflict",
  "sim-too-large",
  "sim-invalid",
  "sim-overloaded-1",
] as const;

let ends: TwoEnds;
beforeAll(async () => {
  ends = await startTwoEnds(["sim-echo", ...REFUSALS]);
});
afterAll(() => ends.stop());

const client = ({ root, key }: End, maxRetries = 0) =>
  new Anthropic({ baseURL: root, apiKey: key, maxRetries });
const ask = (content: string, model = "sim-echo") => ({
  model,
  max_tokens: 100,
  messages: [{ role: "user" as const, content }],
});
const WEATHER = {
  name: "get_weather",
  description: "The weather at a place.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: ({ city }: { city: string }) => `Sunny in ${city}.`,
} as const;

test("messages and counts of tokens", async () => {
  await expect(
    ends.runBoth((end) => client(end).messages.create(ask("Good morning"))),
  ).resolves.toMatchObject({
    result: { content: [{ type: "text", text: "Good morning" }] },
  });
  const { messages } = ask("How much is this?");
  await ends.runBoth((end) => client(end).messages.countTokens({ model: "sim-echo", messages }));
});

test("streams: events, text and the final message, also of the beta interface", async () => {
  await ends.runBoth(async (end) => {
    const events: unknown[] = [];
    for await (const event of await client(end).messages.create({ ...ask("one two"), stream: true }))
      events.push(event);
    return events;
  });
  const { result } = (await ends.runBoth(async (end) => {
    const stream = client(end).beta.messages.stream({
      ...ask("one two three"),
      betas: ["some-beta-2026-01-01"],
    });
    const pieces: string[] = [];
    stream.on("text", (piece) => pieces.push(piece));
    return { message: await stream.finalMessage(), pieces };
  })) as { result: { pieces: string[] } };
  expect(result.pieces).toEqual(["one ", "two ", "three"]);
});

test.each([false, true])("the tool runner (stream: %j)", async (stream) => {
  const runTools = (where: End, more: object = {}) =>
    client(where)
      .beta.messages.toolRunner({
        ...ask("What does get_weather say?"),
        tools: [betaTool(WEATHER)],
        stream,
        ...more,
      })
      .runUntilDone();
  const said = { content: [{ type: "text", text: "Sunny in simulated city." }] };
  expect(await ends.runBoth((where) => runTools(where, { thread: false }))).toMatchObject({ result: said });
  // By itself it asks for a thread, which the shop does not offer: it goes on without.
  expect(await runTools(await ends.addEnd())).toMatchObject(said);
});

test("structured outputs", async () => {
  const format = jsonSchemaOutputFormat({
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  });
  const end = await ends.runBoth(async (where) => {
    const message = await client(where).messages.parse({
      ...ask('{"name": "Ada"}'),
      output_config: { format },
    });
    return message.parsed_output;
  });
  expect(end).toEqual({ result: { name: "Ada" } });
});

test("raw responses", async () => {
  await ends.runBoth(async (end) => {
    const response = await client(end).messages.create(ask("raw")).asResponse();
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      body: await response.json(),
    };
  });
  await ends.runBoth(async (end) => {
    const { data, request_id: requestId } = await client(end).messages.create(ask("named")).withResponse();
    return { data, isNamed: requestId?.startsWith("req_") };
  });
});

test.each(REFUSALS)("%s throws the same, after as many attempts", async (model) => {
  const end = await ends.runBoth((where) => client(where, 1).messages.create(ask("a", model)));
  expect(end).toMatchObject({ thrown: expect.any(Anthropic.APIError) });
  if (!(model in VENDOR_REFUSALS)) return;
  const { status, ...error } = VENDOR_REFUSALS[model as keyof typeof VENDOR_REFUSALS];
  expect(end).toMatchObject({ thrown: { status, error: { error } } });
});

test("a code of the vendor's makes the error of its class", async () => {
  const end = await ends.runBoth((where) => client(where).messages.create(ask("a", "sim-thread-not-found")));
  expect(end).toMatchObject({ thrown: { errorCode: "thread_not_found" } });
  expect((end as { thrown: object }).thrown.constructor.name).toBe("ThreadNotFoundError");
});
