import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VENDOR_REFUSALS } from "../../simulators/upstream/refusals.ts";
import { requestAiProxy } from "../../testing/request-ai-proxy.ts";
import { addModels, ask, startTestAiProxy, type TestAiProxy } from "../../testing/test-ai-proxy.ts";
import { readDocument } from "../read-document.ts";

const FAILURES = ["sim-echo", "sim-error", "sim-cut", "sim-overloaded", "sim-rate-limited-7", "sim-auth"];
const OF_THE_SHOP = [
  "sim-credit",
  "sim-usage-limit",
  "sim-workspace-limit",
  "sim-spend-limit",
  "sim-contract-limit",
  "sim-disabled",
  "sim-on-hold",
  "sim-revoked",
  "sim-billing",
  "sim-forbidden",
] as const;
const OF_THE_REQUEST = [
  ["sim-thread-continued", "false"],
  ["sim-not-allowed", "false"],
  ["sim-thread-not-found", "false"],
  ["sim-body-timeout", "true"],
  ["sim-conflict", "true"],
  ["sim-too-large", "false"],
] as const;

const VERSION = { "anthropic-version": "2023-06-01" };

let shop: TestAiProxy;
beforeAll(async () => {
  shop = await startTestAiProxy();
  await addModels(shop, [...FAILURES, ...Object.keys(VENDOR_REFUSALS)]);
});
afterAll(() => shop.stop());

const paths = [
  ["/v1/messages", {}],
  ["/v1/messages", { stream: true }],
  ["/v1/messages/count_tokens", {}],
] as const;
const asked = (path: string, model: string, rest: object = {}) =>
  requestAiProxy(shop, path, {
    body: { ...ask("Hello", model), ...rest },
    headers: VERSION,
  });

describe("what the upstream says of a request", () => {
  test.each(OF_THE_REQUEST)("as %s does keeps its status and its whole error", async (model, shouldRetry) => {
    const { status, ...error } = VENDOR_REFUSALS[model];
    for (const [path, rest] of paths) {
      const answer = await asked(path, model, rest);
      expect(answer).toMatchObject({ status });
      expect(answer.body).toEqual({ type: "error", error });
      expect(answer.headers.get("x-should-retry")).toBe(shouldRetry);
      expect(answer.headers.get("request-id")).toBe(shop.upstream.answered().at(-1)?.requestId);
    }
    const [call] = await shop.calls.list(shop.accountId, 1);
    expect(call).toMatchObject({ outcome: "rejected", amountMicrocents: 0n });
  });

  test("is told without the shop's organization and its limits", async () => {
    const answer = await asked("/v1/messages", "sim-organization-rate");
    expect(answer).toMatchObject({ status: 429, body: { error: { type: "rate_limit_error" } } });
    expect(answer.text).not.toMatch(/organization|50,000/);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("what the upstream says of the shop", () => {
  test.each(OF_THE_SHOP)("as %s does is a 500 that nobody repeats, and an alarm", async (model) => {
    const before = total(shop.messages.upstreamAlarms());
    for (const [path, rest] of paths) {
      const answer = await asked(path, model, rest);
      expect(answer).toMatchObject({ status: 500, body: { error: { type: "api_error" } } });
      expect(answer.text).not.toContain(VENDOR_REFUSALS[model].message);
      expect(answer.headers.get("x-should-retry")).toBe("false");
    }
    expect(total(shop.messages.upstreamAlarms())).toBe(before + paths.length);
  });
});

test("every error says whether a repetition can help", async () => {
  const { accountId } = await shop.accounts.create({ name: "Limited", rpmLimit: 1 });
  const { key: limited } = await shop.addKey(accountId, "general");
  const poor = (await shop.addKey(await shop.addAccount("0"), "general")).key;
  const body = ask("Hello");
  await requestAiProxy(shop, "/v1/me", { key: limited });
  const answers = [
    [await requestAiProxy(shop, "/v1/me", { key: "wrong" }), 401, "false"],
    [await requestAiProxy(shop, "/v1/messages", { key: poor, body }), 402, "false"],
    [await requestAiProxy(shop, "/v1/messages", { body: "{" }), 400, "false"],
    [await requestAiProxy(shop, "/v1/messages", { body: ask("Hello", "unknown") }), 400, "false"],
    [await requestAiProxy(shop, "/v1/nothing"), 404, "false"],
    [await requestAiProxy(shop, "/v1/me", { method: "DELETE" }), 405, "false"],
    [await requestAiProxy(shop, "/v1/usage?limit=x"), 400, "false"],
    [await requestAiProxy(shop, "/v1/me", { key: limited }), 429, "true"],
    [await asked("/v1/messages", "sim-rate-limited-7"), 429, "true"],
    [await asked("/v1/messages", "sim-overloaded"), 529, "true"],
    [await asked("/v1/messages", "sim-error"), 502, "true"],
    [await asked("/v1/messages", "sim-cut"), 502, "false"],
  ] as const;
  for (const [answer, status, shouldRetry] of answers) {
    expect([answer.status, answer.headers.get("x-should-retry")]).toEqual([status, shouldRetry]);
  }
  const other = await shop.call("/nothing");
  expect(other.headers.get("x-should-retry")).toBeNull();
});

test("the first fault of a call decides, in the order that the document gives", async () => {
  const keyOf = async (accountId: Parameters<typeof shop.addKey>[0]) =>
    (await shop.addKey(accountId, "general")).key;
  const { accountId: busyAccount } = await shop.accounts.create({ name: "Busy", rpmLimit: 1 });
  const callingAccount = await shop.addAccount("1");
  await shop.accounts.set(callingAccount, { callsInFlightLimit: 1 });
  const [busy, calling] = [await keyOf(busyAccount), await keyOf(callingAccount)];
  const [poor, rich] = [await keyOf(await shop.addAccount("0")), await keyOf(await shop.addAccount("1"))];
  await addModels(shop, ["sim-slow-start-600000"]);
  const statusOf = async (key: string, body: string | object) =>
    (await requestAiProxy(shop, "/v1/messages", { key, body, headers: VERSION })).status;
  const largeAndBroken = `{"system":"${"x".repeat(70_000)}`;
  const tooDear = { ...ask("Hello"), max_tokens: 1_000_000 };
  await requestAiProxy(shop, "/v1/me", { key: busy });
  const before = shop.upstream.answered().length;
  const running = statusOf(calling, ask("Hello", "sim-slow-start-600000"));
  await expect.poll(() => shop.upstream.answered().length).toBe(before + 1);
  const decided = [
    await statusOf("wrong", largeAndBroken),
    await statusOf(busy, largeAndBroken),
    await statusOf(poor, largeAndBroken),
    await statusOf(calling, "{"),
    await statusOf(calling, tooDear),
    await statusOf(rich, tooDear),
  ];
  shop.upstream.endDelays();
  expect(await running).toBe(200);
  const { description = "" } = readDocument("proxy").paths?.["/v1/messages"]?.post ?? {};
  const [, order = ""] =
    /The first fault in this order decides the answer: (.*?), and then/s.exec(description) ?? [];
  const described = [...order.matchAll(/\b\d{3}\b/g)].map(Number);
  expect(described, "spec/proxy/paths/messages.yaml tells another order").toEqual([...decided, 503]);
});

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
