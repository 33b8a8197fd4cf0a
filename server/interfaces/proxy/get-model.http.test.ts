import { afterAll, beforeAll, expect, test } from "vitest";
import { aiProxyError, requestAiProxy } from "../../testing/request-ai-proxy.ts";
import {
  addCallingAccount,
  addModels,
  ask,
  clientOf,
  DISTINCT_PRICES,
  startTestAiProxy,
  type TestAiProxy,
} from "../../testing/test-ai-proxy.ts";

let shop: TestAiProxy;
beforeAll(async () => {
  shop = await startTestAiProxy();
  await addModels(shop, ["sim-echo", "vendor/sim:1", "gone"]);
  await shop.models.disable("gone");
  await shop.models.set({
    modelId: "sim-events-10",
    name: "Large 1",
    prices: DISTINCT_PRICES,
    maxOutputTokens: 64_000,
    facts: {
      lifecycle: "deprecated",
      maxInputTokens: 200_000,
      capabilities: { image_input: { supported: true }, batch: { supported: true } },
      aliases: ["large-latest", "large-1-20260101"],
    },
  });
});
afterAll(() => shop.stop());

const get = (id: string) => requestAiProxy(shop, `/v1/models/${encodeURIComponent(id)}`);

test("a model is told with what the operator has said of it, by its id and by its aliases", async () => {
  for (const id of ["sim-events-10", "large-latest", "large-1-20260101"]) {
    expect(await get(id)).toMatchObject({
      status: 200,
      body: {
        type: "model",
        id: "sim-events-10",
        display_name: "Large 1",
        lifecycle: "deprecated",
        max_input_tokens: 200_000,
        max_tokens: 64_000,
        capabilities: { image_input: { supported: true }, batch: { supported: false } },
      },
    });
  }
  expect(await get("vendor/sim:1")).toMatchObject({
    status: 200,
    body: { id: "vendor/sim:1", capabilities: null },
  });
});

test.each(["nothing", "gone", "%", "x".repeat(129)])("of %s there is none", async (id) => {
  expect(await get(id)).toMatchObject({
    status: 404,
    body: aiProxyError("not_found_error", `There is no model "${id}".`),
  });
});

test.each(["%00", "%ff", "%", "a%2fb%c0"])("of what decodes to no text, as %s, there is none", async (id) => {
  const { status, headers, body } = await requestAiProxy(shop, `/v1/models/${id}`);
  expect([status, headers.get("x-should-retry")]).toEqual([404, "false"]);
  expect(body).toEqual(aiProxyError("not_found_error", expect.stringMatching(/^There is no model "/)));
});

test("the vendor's SDK finds it", async () => {
  const client = clientOf(shop.proxyUrl, shop.generalKey);
  expect(await client.models.retrieve("large-latest")).toMatchObject({
    id: "sim-events-10",
    max_tokens: 64_000,
  });
  expect((await client.beta.models.retrieve("sim-echo")).id).toBe("sim-echo");
});

test("a call by an alias is the model's: at the upstream, in the answer, and in the usage record", async () => {
  const caller = await addCallingAccount(shop);
  const client = clientOf(shop.proxyUrl, caller.key);
  const message = await client.messages.create(ask("Hello", "large-latest"));
  expect(message.model).toBe("sim-events-10");
  const [sent] = shop.upstream.answered().slice(-1);
  expect(sent?.body.toString()).toBe(JSON.stringify(ask("Hello", "sim-events-10")));
  expect(await caller.settled()).toMatchObject([{ modelId: "sim-events-10", outcome: "completed" }]);
  const { messages } = ask("Hello");
  const direct = await client.messages.countTokens({ model: "sim-events-10", messages });
  expect(await client.messages.countTokens({ model: "large-latest", messages })).toEqual(direct);
});

test("an alias is one model's, and no other model's id", async () => {
  const facts = { lifecycle: "active", maxInputTokens: null, capabilities: null } as const;
  const model = { modelId: "other", name: "Other", prices: DISTINCT_PRICES, maxOutputTokens: null };
  for (const alias of ["large-latest", "sim-echo", "other", "ä", ""]) {
    await expect(shop.models.set({ ...model, facts: { ...facts, aliases: [alias] } })).rejects.toThrow(
      /alias/,
    );
  }
});
