import { ChatAnthropic } from "@langchain/anthropic";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type End, startTwoEnds, type TwoEnds } from "./two-ends.ts";

const REFUSALS = [
  "sim-not-allowed",
  "sim-thread-not-found",
  "sim-too-large",
  "sim-invalid",
  "sim-conflict",
] as const;
const WEATHER = {
  name: "get_weather",
  description: "The weather at a place.",
  input_schema: { type: "object" as const, properties: { city: { type: "string" } } },
};

let ends: TwoEnds;
beforeAll(async () => {
  ends = await startTwoEnds(["sim-echo", ...REFUSALS]);
});
afterAll(() => ends.stop());

const chat = ({ root, key }: End, model = "sim-echo") =>
  new ChatAnthropic({ anthropicApiUrl: root, apiKey: key, model, maxTokens: 100, maxRetries: 0 });

test("invokes a model", async () => {
  const end = await ends.runBoth(async (where) => {
    const { content, usage_metadata: usage } = await chat(where).invoke("Good morning");
    return { content, usage };
  });
  expect(end).toMatchObject({ result: { content: "Good morning" } });
});

test("streams", async () => {
  const end = await ends.runBoth(async (where) => {
    const pieces: unknown[] = [];
    for await (const { content } of await chat(where).stream("one two three")) pieces.push(content);
    return pieces;
  });
  expect((end as { result: string[] }).result.join("")).toBe("one two three");
});

test("uses tools", async () => {
  const end = await ends.runBoth(async (where) => {
    const { tool_calls: calls } = await chat(where).bindTools([WEATHER]).invoke("What does get_weather say?");
    return calls;
  });
  expect(end).toMatchObject({ result: [{ name: "get_weather", args: { city: "simulated city" } }] });
});

test.each(REFUSALS)("%s throws the same", async (model) => {
  const end = await ends.runBoth((where) => chat(where, model).invoke("a"));
  expect(end).toMatchObject({ thrown: expect.any(Error) });
});
