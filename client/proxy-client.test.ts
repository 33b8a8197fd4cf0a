import { afterAll, beforeAll, expect, test } from "vitest";
import { addModels, startTestProxy, type TestProxy } from "../server/testing/test-proxy.ts";
import { createProxyClient, type MessageRequest } from "./proxy-client.ts";

const REQUEST: MessageRequest = {
  model: "sim-echo",
  max_tokens: 100,
  messages: [{ role: "user", content: "Say hello to the shop." }],
};

let shop: TestProxy;
beforeAll(async () => {
  shop = await startTestProxy();
  await addModels(shop, [
    "sim-echo",
    "sim-overloaded-7",
    "sim-cut-8",
    "sim-error-event-8",
    "sim-slow-tokens-50",
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

test("what does not fit the contract does not compile", () => {
  const { messages } = createProxyClient({ baseUrl: "https://shop.example", apiKey: "svc_sk_a" });
  // @ts-expect-error a required field is missing
  () => messages.create({ model: "a", messages: [] });
  // @ts-expect-error whether a message is streamed is told by the function
  () => messages.create({ ...REQUEST, stream: true });
});
