import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type End, startTwoEnds, type TwoEnds } from "./two-ends.ts";

const REFUSALS = ["sim-not-allowed", "sim-thread-not-found", "sim-too-large", "sim-invalid"] as const;

let ends: TwoEnds;
beforeAll(async () => {
  ends = await startTwoEnds(["sim-echo", "sim-conflict", ...REFUSALS]);
});
afterAll(() => ends.stop());

// It is given the version with its base URL, as its manual has it.
const modelOf = ({ root, key }: End, model = "sim-echo") =>
  createAnthropic({ baseURL: `${root}/v1`, apiKey: key })(model);
const SETTINGS = { maxOutputTokens: 100, maxRetries: 0 };
const weather = () => ({
  get_weather: tool({
    description: "The weather at a place.",
    inputSchema: jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } }),
    execute: async ({ city }) => `Sunny in ${city}.`,
  }),
});

test("generates text", async () => {
  const end = await ends.runBoth(async (where) => {
    const { text, usage, finishReason } = await generateText({
      model: modelOf(where),
      prompt: "Good morning",
      ...SETTINGS,
    });
    return { text, usage, finishReason };
  });
  expect(end).toMatchObject({ result: { text: "Good morning", finishReason: "stop" } });
});

test("streams text", async () => {
  const end = await ends.runBoth(async (where) => {
    const { textStream, usage } = streamText({ model: modelOf(where), prompt: "one two three", ...SETTINGS });
    const pieces: string[] = [];
    for await (const piece of textStream) pieces.push(piece);
    return { pieces, usage: await usage };
  });
  expect(end).toMatchObject({ result: { pieces: ["one ", "two ", "three"] } });
});

test("uses tools in several steps", async () => {
  const end = await ends.runBoth(async (where) => {
    const { text, steps } = await generateText({
      model: modelOf(where),
      prompt: "What does get_weather say?",
      tools: weather(),
      stopWhen: stepCountIs(3),
      ...SETTINGS,
    });
    return { text, steps: steps.length };
  });
  expect(end).toMatchObject({
    result: { steps: 2, text: expect.stringContaining("Sunny in simulated city.") },
  });
});

test("makes objects", async () => {
  const schema = jsonSchema<{ name: string }>({ type: "object", properties: { name: { type: "string" } } });
  const end = await ends.runBoth(async (where) => {
    const { output } = await generateText({
      model: modelOf(where),
      prompt: "a name",
      output: Output.object({ schema }),
      ...SETTINGS,
    });
    return output;
  });
  expect(end).toMatchObject({ result: { name: "simulated name" } });
});

test.each(REFUSALS)("%s throws the same", async (model) => {
  const end = await ends.runBoth((where) =>
    generateText({ model: modelOf(where, model), prompt: "a", ...SETTINGS }),
  );
  expect(end).toMatchObject({ thrown: { name: "AI_APICallError", isRetryable: false } });
});

test("what may be repeated is repeated as often", async () => {
  const end = await ends.runBoth((where) =>
    generateText({ model: modelOf(where, "sim-conflict"), prompt: "a", ...SETTINGS, maxRetries: 1 }),
  );
  expect(end).toMatchObject({ thrown: { name: "AI_RetryError" } });
});
