import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  addCallingAccount,
  addModels,
  ask,
  startTestAiProxy,
  type TestAiProxy,
} from "../../testing/test-ai-proxy.ts";

let shop: TestAiProxy;

beforeAll(async () => {
  shop = await startTestAiProxy();
  await addModels(shop, ["sim-echo"]);
});

beforeEach(() => shop.upstream.forget());

afterAll(() => shop.stop());

function post(key: string, body: object, path = "/v1/messages"): Promise<Response> {
  return fetch(shop.proxyUrl + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "x-api-key": key, "content-type": "application/json", "anthropic-version": "2023-06-01" },
  });
}

/** What looks like a picture of that many bytes. */
function pictureOf(bytes: number) {
  return { type: "image", source: { type: "base64", media_type: "image/png", data: "x".repeat(bytes) } };
}

describe("twenty calls at once on 0.40 USD leave no debt", () => {
  const inHistory = (...content: object[]) => ({
    ...ask("go on"),
    messages: [
      { role: "user", content: "draw" },
      { role: "assistant", content },
      { role: "user", content: "go on" },
    ],
  });

  test.each([
    [
      "with a tool's input that looks like a picture",
      inHistory({ type: "tool_use", id: "t", name: "draw", input: pictureOf(400_000) }),
    ],
    [
      "with a tool's schema that looks like a picture",
      {
        ...ask("go on"),
        tools: [{ name: "draw", input_schema: { type: "object", default: pictureOf(400_000) } }],
      },
    ],
  ])("%s", async (_name, body) => {
    const caller = await addCallingAccount(shop, "0.40");
    await Promise.all(Array.from({ length: 20 }, async () => (await post(caller.key, body)).text()));
    await caller.settled();
    expect(await caller.balance()).toBeGreaterThanOrEqual(0n);
  });
});

describe("a call that the balance does not cover", () => {
  /** At 15 USD a million, a thousand tokens of output cost 0.015. */
  const wants = (maxTokens: number, text = "hello") => ({ ...ask(text), max_tokens: maxTokens });

  test("is told what is needed and what is available", async () => {
    const caller = await addCallingAccount(shop, "0.01");
    const response = await post(caller.key, wants(1_000));
    expect(response.status).toBe(402);
    const { error } = (await response.json()) as { error: { type: string; message: string } };
    expect(error.type).toBe("billing_error");
    expect(error.message).toMatch(
      /: 0\.01\d\d USD are needed, 0\.01 USD are available\. Top up, or lower max_tokens\.$/,
    );
    expect(shop.upstream.answered()).toEqual([]);
  });

  test("runs when the upstream's own count of its input fits", async () => {
    // 3,000 bytes are held as 3,000 tokens, which cost 0.009; the upstream counts a quarter.
    const caller = await addCallingAccount(shop, "0.006");
    const response = await post(caller.key, wants(10, "x".repeat(3_000)));
    expect(response.status).toBe(200);
    expect(shop.upstream.answered().map(({ path }) => path)).toEqual([
      "/v1/messages/count_tokens",
      "/v1/messages",
    ]);
    await caller.settled();
    expect(await caller.balance()).toBeGreaterThanOrEqual(0n);
  });

  test("does not run by a count of what may be another text when it is read", async () => {
    const caller = await addCallingAccount(shop, "0.006");
    const image = { type: "image", source: { type: "url", url: "https://a.example/a.png" } };
    const response = await post(caller.key, { ...wants(10), messages: [{ role: "user", content: [image] }] });
    expect(response.status).toBe(402);
    expect(shop.upstream.answered()).toEqual([]);
  });

  test("runs with fewer max_tokens where its account allows it, and is told so", async () => {
    const caller = await addCallingAccount(shop, "0.01");
    expect((await post(caller.key, wants(64_000, "word ".repeat(1_000)))).status).toBe(402);
    await shop.accounts.setCallSettings(caller.accountId, { lowersMaxTokens: true });
    const body = wants(64_000, "word ".repeat(1_000));
    await expect.poll(async () => (await post(caller.key, body)).status).toBe(200);
    const sent = shop.upstream.answered().at(-1);
    const lowered = JSON.parse(String(sent?.body));
    expect(lowered).toEqual({ ...body, max_tokens: lowered.max_tokens });
    expect(lowered.max_tokens).toBeGreaterThan(100);
    expect(lowered.max_tokens).toBeLessThan(1_000);
    await caller.settled();
    expect(await caller.balance()).toBeGreaterThanOrEqual(0n);
  });

  test("says in a header how many max_tokens it ran with, and is not lowered below its thinking", async () => {
    const caller = await addCallingAccount(shop, "0.01");
    await shop.accounts.setCallSettings(caller.accountId, { lowersMaxTokens: true });
    const thinking = { type: "enabled", budget_tokens: 1_024 };
    expect((await post(caller.key, { ...wants(64_000), thinking })).status).toBe(402);
    const response = await post(caller.key, { ...wants(64_000), stream: true });
    expect(response.status).toBe(200);
    const lowered = JSON.parse(String(shop.upstream.answered().at(-1)?.body)).max_tokens;
    expect(response.headers.get("x-lowered-max-tokens")).toBe(String(lowered));
    await response.text();
    const whole = await post(caller.key, wants(10));
    expect(whole.headers.get("x-lowered-max-tokens")).toBe(null);
  });
});

describe("calls at once", () => {
  test("are limited for each account, and told to wait", async () => {
    await addModels(shop, ["sim-slow-start-600000"]);
    const [caller, other] = [await addCallingAccount(shop), await addCallingAccount(shop)];
    await shop.accounts.setCallSettings(caller.accountId, { callsInFlightLimit: 2 });
    const running = [1, 2].map(() => post(caller.key, ask("a", "sim-slow-start-600000")));
    await expect.poll(() => shop.upstream.answered().length).toBe(2);
    const refused = await post(caller.key, ask("a"));
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({
      error: { type: "rate_limit_error", message: expect.stringContaining("2 calls under way at once") },
    });
    expect((await post(other.key, ask("a"))).status).toBe(200);
    shop.upstream.endDelays();
    await Promise.all(running);
    await expect.poll(async () => (await post(caller.key, ask("a"))).status).toBe(200);
  });
});

describe("what one buyer was given", () => {
  const other = "of_another_buyer";
  const source = { type: "file", file_id: `file_${other}` };
  test.each([
    { thread: { type: "continue", previous_message_id: `msg_${other}` } },
    { diagnostics: { previous_message_id: `msg_${other}` } },
    { container: `container_${other}` },
    { container: { id: `container_${other}` } },
    { container: { skills: [{ type: "custom", skill_id: `skill_${other}` }] } },
    { fallback_credit_token: other },
    { mcp_servers: [{ type: "url", name: "a", url: `https://${other}.example` }] },
    { messages: [{ role: "user", content: [{ type: "image", source }] }] },
    { messages: [{ role: "user", content: [{ type: "document", source }] }] },
    { messages: [{ role: "user", content: [{ type: "container_upload", file_id: `file_${other}` }] }] },
    {
      messages: [
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "image", source }] }],
        },
      ],
    },
  ])("is of no use to another: %j", async (fields) => {
    const caller = await addCallingAccount(shop);
    for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
      const response = await post(caller.key, { ...ask("a"), ...fields }, path);
      expect(response.status).toBe(400);
      const { error } = (await response.json()) as { error: { message: string } };
      expect(error.message).toMatch(/^[a-z_.0-9]+: Not offered by this shop: /);
    }
    expect(shop.upstream.answered()).toEqual([]);
    expect(await caller.settled()).toEqual([]);
  });
});

describe("a request may hold what the vendor's may", () => {
  test("max_tokens 0, null for what may be left out, and query parameters that nobody knows", async () => {
    const caller = await addCallingAccount(shop);
    const nothing = {
      stream: null,
      metadata: null,
      temperature: null,
      tools: null,
      system: null,
      stop_sequences: null,
    };
    const body = { ...ask("a"), ...nothing, max_tokens: 0 };
    const response = await post(caller.key, body, "/v1/messages?beta=true&a[b]=c&utm=1");
    expect(response.status).toBe(200);
    expect(shop.upstream.answered().at(-1)?.path).toBe("/v1/messages?beta=true&a[b]=c&utm=1");
    expect(await caller.settled()).toMatchObject([{ usage: { outputTokens: 0 } }]);
  });
});
