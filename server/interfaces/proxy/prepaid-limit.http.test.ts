import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  addCallingAccount,
  addModels,
  ask,
  type CallingAccount,
  startTestAiProxy,
  type TestAiProxy,
} from "../../testing/test-ai-proxy.ts";
import { usd } from "../../testing/test-shop.ts";

let shop: TestAiProxy;

beforeAll(async () => {
  shop = await startTestAiProxy();
  await addModels(shop, ["sim-echo"]);
});

beforeEach(() => {
  shop.upstream.setFaults([]);
  shop.upstream.forget();
});

afterAll(() => shop.stop());

function post(key: string, body: object, path = "/v1/messages"): Promise<Response> {
  return fetch(shop.proxyUrl + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "x-api-key": key, "content-type": "application/json", "anthropic-version": "2023-06-01" },
  });
}

/** Reads an answer whose end the upstream holds back, and lets it send that. */
async function readToEnd(response: Response): Promise<string> {
  let text: string | null = null;
  const reading = response.text().then((whole) => {
    text = whole;
    return whole;
  });
  await expect
    .poll(() => {
      shop.upstream.endDelays();
      return text;
    })
    .not.toBeNull();
  return reading;
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

  test("is to be tried again where it would be covered by what is set aside for others", async () => {
    await addModels(shop, ["sim-slow-start-600000"]);
    const caller = await addCallingAccount(shop, "0.02");
    const running = post(caller.key, { ...wants(1_000), model: "sim-slow-start-600000" });
    await expect.poll(() => shop.upstream.answered()).toHaveLength(1);
    const retriedOf = async (body: object) => {
      const response = await post(caller.key, body);
      const { error } = (await response.json()) as { error: { message: string } };
      return [response.status, response.headers.get("x-should-retry"), error.message.split(". ").at(-1)];
    };
    const { balanceMicrocents } = await shop.accounts.get(caller.accountId);
    expect(balanceMicrocents).toBe(usd("0.02"));
    const waits = "Wait for calls under way, top up, or lower max_tokens.";
    expect(await retriedOf(wants(1_000))).toEqual([402, "true", waits]);
    expect(await retriedOf(wants(2_000))).toEqual([402, "false", "Top up, or lower max_tokens."]);
    shop.upstream.endDelays();
    await (await running).text();
    await expect.poll(async () => (await post(caller.key, wants(1_000))).status).toBe(200);
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
    await shop.accounts.set(caller.accountId, { lowersMaxTokens: true });
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
    await shop.accounts.set(caller.accountId, { lowersMaxTokens: true });
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

describe("what a running stream is seen to use beyond its hold", () => {
  const HELD_BACK = "sim-slow-tokens-600000";
  const reservedBy = async ({ accountId }: CallingAccount) =>
    (await shop.accounts.get(accountId)).reservedMicrocents;

  test.each([
    ["tells at its beginning", { as: HELD_BACK, usage: { input_tokens: 5_000_000, output_tokens: 3 } }],
    ["tells beside what has a price", { as: HELD_BACK, usage: { input_tokens: 5_000_000, moon_tokens: 7 } }],
  ])("is held as soon as it %s, so that nothing else is bought with it", async (_when, fault) => {
    const caller = await addCallingAccount(shop, "10");
    shop.upstream.setFaults([fault]);
    const response = await post(caller.key, { ...ask("one two three"), stream: true });
    // At 3 USD a million, and no output that is worth a cent.
    await expect.poll(async () => (await reservedBy(caller)) >= usd("15")).toBe(true);
    const refused = await post(caller.key, ask("a"));
    expect(refused.status).toBe(402);
    await refused.text();
    const others = await addCallingAccount(shop, "10");
    expect((await post(others.key, ask("a"))).status).toBe(200);
    expect(await readToEnd(response)).toContain("message_stop");
    const [call] = await caller.settled();
    expect(call?.outcome).toBe("completed");
    expect(await caller.balance()).toBe(usd("10") - (call?.amountMicrocents ?? 0n));
    expect(await reservedBy(caller)).toBe(0n);
  });
});

test("a stream holds no more than it can still come to when its input has been told", async () => {
  const caller = await addCallingAccount(shop, "1");
  const reserved = async () => (await shop.accounts.get(caller.accountId)).reservedMicrocents;
  shop.upstream.setFaults([{ as: "sim-slow-tokens-600000" }]);
  // 100,000 bytes are held as so many tokens, and counted as a quarter of that, at 3 USD a million.
  const response = await post(caller.key, { ...ask(`${"x".repeat(100_000)} one two`), stream: true });
  expect(response.status).toBe(200);
  await expect.poll(reserved).toBeLessThan(usd("0.10"));
  expect(await reserved()).toBeGreaterThan(usd("0.075"));
  await readToEnd(response);
  const [call] = await caller.settled();
  expect(call?.outcome).toBe("completed");
  expect(await caller.balance()).toBe(usd("1") - (call?.amountMicrocents ?? 0n));
  expect(await reserved()).toBe(0n);
});

describe("calls at once", () => {
  test("are limited for each account, and told to wait", async () => {
    await addModels(shop, ["sim-slow-start-600000"]);
    const [caller, other] = [await addCallingAccount(shop), await addCallingAccount(shop)];
    await shop.accounts.set(caller.accountId, { callsInFlightLimit: 2 });
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
  const says = (block: object) => ({ messages: [{ role: "user", content: [block] }] });
  const ran = (type: string) =>
    says({
      type: `${type}_tool_result`,
      tool_use_id: "t",
      content: { type: `${type}_result`, content: [{ type: `${type}_output`, file_id: source.file_id }] },
    });
  test.each([
    { thread: { type: "continue", previous_message_id: `msg_${other}` } },
    { diagnostics: { previous_message_id: `msg_${other}` } },
    { container: `container_${other}` },
    { container: { id: `container_${other}` } },
    { container: { skills: [{ type: "custom", skill_id: `skill_${other}` }] } },
    { fallback_credit_token: other },
    { mcp_servers: [{ type: "url", name: "a", url: `https://${other}.example` }] },
    says({ type: "image", source }),
    says({ type: "document", source }),
    says({ type: "container_upload", file_id: `file_${other}` }),
    says({ type: "tool_result", tool_use_id: "t", content: [{ type: "image", source }] }),
    says({ type: "document", source: { type: "content", content: [{ type: "image", source }] } }),
    says({
      type: "web_fetch_tool_result",
      tool_use_id: "t",
      content: { type: "web_fetch_result", url: "u", content: { type: "document", source } },
    }),
    says({ type: "text", text: "a", citations: [{ type: "char_location", file_id: `file_${other}` }] }),
    ran("code_execution"),
    ran("bash_code_execution"),
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

  test.each([
    { previous_message_id: `msg_${other}` },
    { container_id: `container_${other}` },
    { metadata: { container: `container_${other}` } },
    { output_config: { thread: `msg_${other}` } },
    { cache_control: { type: "ephemeral", id: `cache_${other}` } },
    { messages: [{ role: "user", content: "a", id: `msg_${other}` }] },
    says({ type: "text", text: "a", container: `container_${other}` }),
    { tools: [{ name: "t", input_schema: {}, skill_id: `skill_${other}` }] },
  ])("is of no use to another where nobody knows of it: %j", async (fields) => {
    const caller = await addCallingAccount(shop);
    const response = await post(caller.key, { ...ask("a"), ...fields });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toMatch(/^[a-z_.0-9]+: Extra inputs are not permitted$/);
    expect(shop.upstream.answered()).toEqual([]);
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
