import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NO_FACTS } from "../../models/facts.ts";
import { requestAiProxy } from "../../testing/request-ai-proxy.ts";
import {
  addCallingAccount,
  addModels,
  startTestAiProxy,
  type TestAiProxy,
} from "../../testing/test-ai-proxy.ts";

let shop: TestAiProxy;
beforeAll(async () => {
  shop = await startTestAiProxy();
  await addModels(shop, ["sim-echo"], { facts: { ...NO_FACTS, aliases: ["echo"] } });
});
beforeEach(() => shop.upstream.forget());
afterAll(() => shop.stop());

/** So many turns of five values and names each are judged in a thread. */
const MANY = 4_000;
const turns = (count: number) => Array.from({ length: count }, () => ({ role: "user", content: "x" }));
const request = (count: number, more: object = {}) => ({
  model: "sim-echo",
  max_tokens: 10,
  messages: turns(count),
  ...more,
});
const asJson = (count: number, more: object = {}) => JSON.stringify(request(count, more));
const paths = ["/v1/messages", "/v1/messages/count_tokens"] as const;
const headers = { "anthropic-version": "2023-06-01" };

/** What is wrong with a request of so many turns. */
const FAULTS: Readonly<Record<string, (count: number) => string | Buffer>> = {
  "an unknown model": (count) => asJson(count, { model: "none" }),
  "no model": (count) => asJson(count, { model: undefined }),
  "a model that is no text and no limit": (count) => asJson(count, { model: 5, max_tokens: -1 }),
  "a turn without a role": (count) =>
    JSON.stringify({ ...request(0), messages: [{ content: "x" }, ...turns(count)] }),
  "a field that nobody knows": (count) => asJson(count, { audio: true }),
  "a block that nobody knows": (count) =>
    JSON.stringify({
      ...request(0),
      messages: [{ role: "user", content: [{ type: "song" }] }, ...turns(count)],
    }),
  "a thread, which has a code of its own": (count) => asJson(count, { thread: { id: "t" } }),
  "what has no price": (count) => asJson(count, { speed: "fast" }),
  "a field that is there twice": (count) => asJson(count).replace("{", '{"max_tokens":1,'),
  "no end": (count) => asJson(count).slice(0, -1),
  "a list in place of an object": (count) => `[${asJson(count)}]`,
  "what is no UTF-8": (count) => Buffer.concat([Buffer.from(asJson(count)), Buffer.from([0xff])]),
};

describe("a request that holds many values is refused as one that holds few", () => {
  test.each(Object.entries(FAULTS))("for %s", async (_name, bodyOf) => {
    for (const path of paths) {
      const ask = (count: number) => requestAiProxy(shop, path, { body: bodyOf(count), headers });
      const [few, many] = [await ask(1), await ask(MANY)];
      expect(many.status).toBe(few.status);
      // Prices are not asked of a count, which differs.
      if (few.status !== 200) expect(many.body).toEqual(few.body);
    }
  });

  test("for its query and for its body together", async () => {
    const ask = (count: number) =>
      requestAiProxy(shop, "/v1/messages?beta=%5b", { body: asJson(count, { model: 5 }), headers });
    const few = await ask(1);
    expect(few.status).toBe(400);
    expect(await ask(MANY)).toMatchObject({ status: 400, body: few.body });
  });
});

test("a request that holds many values goes to the upstream byte for byte, and costs what the upstream says", async () => {
  const caller = await addCallingAccount(shop);
  const body = JSON.stringify(request(MANY), null, 1);
  const { status } = await requestAiProxy({ ...shop, generalKey: caller.key }, "/v1/messages", {
    body,
    headers,
  });
  expect(status).toBe(200);
  expect(shop.upstream.answered().map((sent) => String(sent.body))).toEqual([body]);
  expect(await caller.settled()).toMatchObject([{ modelId: "sim-echo", outcome: "completed" }]);
});

test("where its hold is not covered, the upstream is asked for the count, by the model's own name", async () => {
  // Some 120,000 bytes are held as as many tokens, which cost 0.36; the upstream counts a quarter.
  const caller = await addCallingAccount(shop, "0.20");
  const body = asJson(MANY, { model: "echo" });
  const { status } = await requestAiProxy({ ...shop, generalKey: caller.key }, "/v1/messages", {
    body,
    headers,
  });
  expect(status).toBe(200);
  const [counted, sent] = shop.upstream.answered();
  const { max_tokens: _limit, ...expected } = request(MANY);
  expect(JSON.parse(String(counted?.body))).toEqual(expected);
  expect(JSON.parse(String(sent?.body))).toEqual(request(MANY));
  await caller.settled();
});
