import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { composeApps } from "../../compose-http.ts";
import { listen } from "../../http/listen.ts";
import { createMetrics } from "../../http/metrics.ts";
import { createRateLimit } from "../../http/rate-limit.ts";
import type { AccountId } from "../../ids.ts";
import { UpstreamUnavailableError } from "../../messages/errors.ts";
import type { MessageRequest } from "../../messages/messages.ts";
import { aiProxyError, requestAiProxy } from "../../testing/request-ai-proxy.ts";
import { requestShop } from "../../testing/request-shop.ts";
import { addModels } from "../../testing/test-ai-proxy.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

const MIB = 1024 * 1024;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.stop());

const call = (path: string, options: Parameters<typeof requestAiProxy>[2] = {}) =>
  requestAiProxy(shop, path, options);
const anyText = expect.stringMatching(/./);
const invalid = { status: 400, body: aiProxyError("invalid_request_error", anyText) };
const unauthenticated = { status: 401, body: aiProxyError("authentication_error", anyText) };
const message = () => ({ model: "m", max_tokens: 10, messages: [{ role: "user", content: "Hello" }] });

/** The paths of all operations, with a body where it takes one. */
const operations: [path: string, body?: object][] = [
  ["/v1/messages", message()],
  ["/v1/messages/count_tokens", message()],
  ["/v1/models"],
  ["/v1/me"],
  ["/v1/usage"],
  ["/v1/ledger"],
];

describe("keys", () => {
  const ways: [string, (key: string) => Record<string, string>][] = [
    ["x-api-key", (key) => ({ "x-api-key": key })],
    ["Authorization: Bearer", (key) => ({ Authorization: `Bearer ${key}` })],
    ["proxy-token", (key) => ({ "proxy-token": key })],
  ];

  test.each(ways)("a key in %s is accepted, and a wrong one refused", async (_name, header) => {
    const ask = (key: string) => call("/v1/me", { key: null, headers: header(key) });
    expect(await ask(shop.generalKey)).toMatchObject({ status: 200 });
    for (const wrong of ["nonsense", `${shop.generalKey.slice(0, -1)}!`, "svc_sk_"]) {
      expect(await ask(wrong)).toMatchObject(unauthenticated);
    }
  });

  test.each(operations)(
    "%s refuses requests without a key or with one of another kind",
    async (path, body) => {
      for (const key of [null, shop.orderingKey]) {
        const answer = await call(path, { key, body });
        expect(answer).toMatchObject(unauthenticated);
        expect(Object.keys(answer.body)).toEqual(["type", "error"]);
        expect(answer.headers.get("anthropic-ratelimit-requests-limit")).toBeNull();
      }
    },
  );

  test.each(operations)("%s lets in a key for the proxy alone", async (path, body) => {
    const { key } = await shop.addKey(shop.accountId, "ai_proxy");
    const answer = await call(path, { key, body });
    expect(answer.status).not.toBe(401);
    expect(answer.headers.get("anthropic-ratelimit-requests-limit")).not.toBeNull();
  });

  test("one key may come in several headers", async () => {
    const headers = Object.assign({}, ...ways.map(([, header]) => header(shop.generalKey)));
    expect(await call("/v1/me", { key: null, headers })).toMatchObject({ status: 200 });
    const empty = { "x-api-key": "", Authorization: "Basic dTpw", "proxy-token": shop.generalKey };
    expect(await call("/v1/me", { key: null, headers: empty })).toMatchObject({ status: 200 });
  });

  test("keys that differ are refused, also where all are valid", async () => {
    const { key: other } = await shop.addKey(shop.accountId, "general");
    for (const [name, header] of ways)
      for (const [otherName, otherHeader] of ways) {
        if (name === otherName) continue;
        for (const wrong of [other, "old"]) {
          const headers = { ...otherHeader(wrong), ...header(shop.generalKey) };
          const answer = await call("/v1/me", { key: null, headers });
          expect(answer).toMatchObject(unauthenticated);
          expect(answer.body).toMatchObject({ error: { message: expect.stringContaining("differ") } });
        }
      }
  });

  test("a revoked key and one of a suspended account are refused within a second", async () => {
    const accountId = await shop.addAccount();
    const [revoked, kept] = [
      await shop.addKey(accountId, "general"),
      await shop.addKey(accountId, "general"),
    ];
    const status = async (key: string) => (await call("/v1/me", { key })).status;
    expect([await status(revoked.key), await status(kept.key)]).toEqual([200, 200]);
    await shop.keys.revoke(revoked.keyId);
    await expect.poll(() => status(revoked.key)).toBe(401);
    expect(await status(kept.key)).toBe(200);
    await shop.accounts.suspend(accountId);
    await expect.poll(() => status(kept.key)).toBe(401);
  });

  test("the body of a caller without a key is not waited for", async () => {
    const { hostname, port } = new URL(shop.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${20 * MIB}\r\n\r\n{`,
    );
    const [answer] = await once(socket, "data");
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
  });

  test("the operator can name the third header, and the headers of the rate limit", async () => {
    const url = await serve({ proxyHeaders: { token: "acme-token", rateLimitPrefix: "acme-limit" } });
    const ask = (name: string) =>
      requestShop(url, "/v1/me", { key: null, headers: { [name]: shop.generalKey } });
    expect(await ask("proxy-token")).toMatchObject(unauthenticated);
    const answer = await ask("Acme-Token");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("acme-limit-requests-limit")).toBe("1000000");
  });
});

describe("the rate limit", () => {
  async function addLimited(rpmLimit: number): Promise<{ accountId: AccountId; key: string }> {
    const { accountId } = await shop.accounts.create({ name: "Limited", rpmLimit });
    return { accountId, ...(await shop.addKey(accountId, "general")) };
  }

  test("is one for both interfaces, all operations and all keys", async () => {
    const { accountId, key } = await addLimited(8);
    const { key: orderingKey } = await shop.addKey(accountId);
    for (const [path, body] of operations) {
      expect((await call(path, { key, body })).status).not.toBe(429);
    }
    expect((await shop.call("/balance", { key })).status).toBe(200);
    expect((await shop.call("/balance", { key: orderingKey })).status).toBe(200);
    for (const [path, body] of operations) {
      const answer = await call(path, { key, body });
      expect(answer).toMatchObject({ status: 429, body: aiProxyError("rate_limit_error", anyText) });
      const seconds = Number(answer.headers.get("retry-after"));
      expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
      expect(answer.headers.get("anthropic-ratelimit-requests-remaining")).toBe("0");
    }
    expect((await shop.call("/balance", { key: orderingKey })).status).toBe(429);
    expect((await call("/v1/messages", { key, body: "{" })).status).toBe(429);
  });

  test("is told with every answer to a valid key, also with errors", async () => {
    const { key } = await addLimited(5);
    const paths = ["/v1/me", "/v1/models", "/v1/usage?limit=0", "/v1/ledger"];
    for (const [index, path] of paths.entries()) {
      const { headers } = await call(path, { key });
      const told = (name: string) => headers.get(`anthropic-ratelimit-requests-${name}`);
      expect([told("limit"), told("remaining")]).toEqual(["5", String(4 - index)]);
      const reset = told("reset") ?? "";
      expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
      const aheadMs = Date.parse(reset) - Date.now();
      expect(aheadMs > 0 && aheadMs <= 60_000).toBe(true);
    }
  });

  test("counts a request with several keys once, and one with a key of another kind never", async () => {
    const { accountId, key } = await addLimited(3);
    const { key: orderingKey } = await shop.addKey(accountId);
    for (let count = 0; count < 5; count += 1) await call("/v1/me", { key: orderingKey });
    const headers = { "x-api-key": key, "proxy-token": key };
    const answer = await call("/v1/me", { key, headers });
    expect(answer.headers.get("anthropic-ratelimit-requests-remaining")).toBe("2");
  });
});

describe("paths and methods", () => {
  test.each(["/", "/v1", "/v1/", "/v1/nothing", "/v1/ME", "/v1/messages/x", "/elsewhere", "/shopping"])(
    "%s is a 404 in the proxy's shape",
    async (path) => {
      const answer = await call(path);
      expect(answer).toMatchObject({ status: 404, body: aiProxyError("not_found_error", anyText) });
      expect(answer.headers.get("content-type")).toBe("application/json");
    },
  );

  test("a path of the proxy that cannot be decoded is a 404", async () => {
    for (const path of ["/v1/%ff", "/v1/%", "/%00"]) expect(await call(path)).toMatchObject({ status: 404 });
  });

  test.each([
    ["GET", "/v1/messages", "POST"],
    ["DELETE", "/v1/me", "GET"],
    ["POST", "/v1/usage", "GET"],
    ["OPTIONS", "/v1/messages/count_tokens", "POST"],
  ])("%s %s is a 405 that names the method", async (method, path, allow) => {
    const answer = await call(path, { method });
    expect(answer).toMatchObject({ ...invalid, status: 405 });
    expect(answer.headers.get("allow")).toBe(allow);
  });

  test("an unknown query parameter is ignored where the vendor has the operation as well, and else refused", async () => {
    for (const path of ["/v1/usage?page=2", "/v1/ledger?x[y]=1", "/v1/ledger?limit=1&limit=2"]) {
      expect(await call(path)).toMatchObject(invalid);
    }
    for (const query of ["x=1", "beta=true&x[y]=1", "x", "__proto__=1"]) {
      expect(await call(`/v1/models?${query}`)).toMatchObject({ status: 200 });
      expect(await call(`/v1/models/nothing?${query}`)).toMatchObject({ status: 404 });
    }
    expect(await call("/v1/models?x=1&limit=0")).toMatchObject(invalid);
    expect(await call("/v1/me?x=%ff")).toMatchObject({ status: 200 });
  });
});

describe("bodies", () => {
  const bodies: [string, unknown][] = [
    ["nothing", ""],
    ["no JSON", "model=m"],
    ["half of a JSON object", '{"model":"m",'],
    ["an array", "[]"],
    ["null", "null"],
    ["bytes that are not UTF-8", Buffer.from('{"model":"\xff"}', "latin1")],
    ["an empty object", {}],
    ["no model", { ...message(), model: undefined }],
    ["an empty model", { ...message(), model: "" }],
    ["a model that is no text", { ...message(), model: 1 }],
    ["no messages", { ...message(), messages: [] }],
    ["a message without a role", { ...message(), messages: [{ content: "x" }] }],
    ["a message without content", { ...message(), messages: [{ role: "user" }] }],
    ["content that is a number", { ...message(), messages: [{ role: "user", content: 1 }] }],
    ["a block that is a text", { ...message(), messages: [{ role: "user", content: ["x"] }] }],
    ["a block without a type", { ...message(), messages: [{ role: "user", content: [{}] }] }],
    ["a system that is a number", { ...message(), system: 1 }],
    ["tools that are no list", { ...message(), tools: {} }],
  ];

  test.each(bodies)("%s is refused", async (_name, body) => {
    for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
      const answer = await call(path, { body });
      expect(answer).toMatchObject(invalid);
      expect(Object.keys(answer.body.error)).toEqual(["type", "message"]);
    }
  });

  test.each([undefined, null, -1, 1.5, "10", 2 ** 31, 1e300])(
    "max_tokens of %s is refused",
    async (count) => {
      expect(await call("/v1/messages", { body: { ...message(), max_tokens: count } })).toMatchObject(
        invalid,
      );
    },
  );

  test("stream must be true or false", async () => {
    for (const stream of ["true", 1]) {
      expect(await call("/v1/messages", { body: { ...message(), stream } })).toMatchObject(invalid);
    }
  });

  test.each(["text/plain", "multipart/form-data", "application/json; charset=latin1", "nonsense"])(
    "the media type %s is refused",
    async (type) => {
      const headers = { "Content-Type": type };
      expect(await call("/v1/messages", { body: message(), headers })).toMatchObject(invalid);
    },
  );

  test("one byte more than 32 MiB is refused", async () => {
    const body = JSON.stringify({ ...message(), system: "" });
    const padded = body.replace('"system":""', `"system":"${"x".repeat(32 * MIB + 1 - body.length)}"`);
    expect(Buffer.byteLength(padded)).toBe(32 * MIB + 1);
    const answer = await call("/v1/messages", { body: padded });
    expect(answer).toMatchObject(invalid);
    expect(answer.body.error.message).toContain("larger than 32mb");
  });

  test("a key is asked for before the body is judged", async () => {
    expect(await call("/v1/messages", { key: null, body: "{" })).toMatchObject(unauthenticated);
  });
});

describe("operations that write their own answer", () => {
  test.each([
    [
      "spacing and numbers as they are",
      '{ "model":"m" ,\n"max_tokens" : 1e1, "messages":[{"role":"user","content":"x"}],"n":1.0 }',
    ],
    [
      "escapes, lone surrogates and NUL",
      String.raw`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"\u00e9\ud800\u0000é"}]}`,
    ],
    [
      "unknown fields",
      '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"new","deep":{"a":[1]}}],"x":1}],"thinking":{"budget":null},"__proto__":{}}',
    ],
    [
      "deep nesting",
      `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"x"}],"metadata":{"a":${"[".repeat(190)}${"]".repeat(190)}}}`,
    ],
  ])("are given the bytes as they came: %s", async (_name, body) => {
    const seen = await rawInputOf("/v1/messages", { body });
    expect(Buffer.concat(seen.body.pieces).toString()).toBe(body);
    expect(seen.body.json).toMatchObject({ model: "m", messages: [{ role: "user" }] });
  });

  test("are given 32 MiB", async () => {
    // Of a large body the model is looked at before the rest has come.
    await addModels(shop, ["m"]);
    const empty = JSON.stringify({ ...message(), system: "" });
    const body = empty.replace('"system":""', `"system":"${"x".repeat(32 * MIB - empty.length)}"`);
    const seen = await rawInputOf("/v1/messages", { body });
    expect(Buffer.concat(seen.body.pieces).equals(Buffer.from(body))).toBe(true);
  });

  test("are given query, headers, ids and the caller", async () => {
    const seen = await rawInputOf("/v1/messages/count_tokens?beta=true", {
      body: message(),
      headers: {
        "Content-Type": "application/json; charset=UTF-8",
        "X-Request-Id": "caller-7",
        "anthropic-version": "2023-06-01",
      },
    });
    expect(seen).toMatchObject({
      query: "?beta=true",
      requestId: "caller-7",
      caller: { accountId: shop.accountId, kind: "general" },
      headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
    });
    expect((await rawInputOf("/v1/messages", { body: message() })).query).toBe("");
  });

  test("write their own head beside the headers of every answer", async () => {
    const url = await serve({
      async create({ answer }) {
        answer.begin("text/event-stream", null);
        answer.write(Buffer.from("event: ping\ndata: {}\n\n"));
        answer.end();
      },
    });
    const headers = { "x-api-key": shop.generalKey, "Content-Type": "application/json" };
    const body = JSON.stringify(message());
    const response = await fetch(`${url}/v1/messages`, { method: "POST", headers, body });
    expect(await response.text()).toBe("event: ping\ndata: {}\n\n");
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("request-id")).toBe(response.headers.get("x-request-id"));
    expect(response.headers.get("anthropic-ratelimit-requests-limit")).toBe("1000000");
  });

  test.each([
    [new UpstreamUnavailableError("Not reached.", { retryAfterSeconds: 3 }), 503, "3", "true"],
    [new UpstreamUnavailableError("Failed."), 502, null, "true"],
    [new UpstreamUnavailableError("Broke.", { workDone: true }), 502, null, "false"],
    [new Error("table `calls` crashed"), 500, null, "true"],
  ])("may throw %s before their head", async (error, status, retryAfter, shouldRetry) => {
    const url = await serve({ create: () => Promise.reject(error) });
    const answer = await requestShop(url, "/v1/messages", { key: shop.generalKey, body: message() });
    expect(answer).toMatchObject({ status, body: aiProxyError("api_error", anyText) });
    expect(answer.headers.get("retry-after")).toBe(retryAfter);
    expect(answer.headers.get("x-should-retry")).toBe(shouldRetry);
    expect(JSON.stringify(answer.body)).not.toContain("crashed");
  });

  test("that throw later break the connection off", async () => {
    const url = await serve({
      async create({ answer }) {
        answer.begin("text/event-stream", null);
        answer.write(Buffer.from("event: ping\n"));
        throw new Error("broken");
      },
    });
    const asking = requestShop(url, "/v1/messages", { key: shop.generalKey, body: message() });
    await expect(asking).rejects.toThrow();
  });

  test("are told when the client goes away, and not when it stays", async () => {
    const signals: AbortSignal[] = [];
    const url = await serve({
      async create({ answer, signal, body }) {
        signals.push(signal);
        if ((body.json as { model: string }).model === "quick") answer.whole(Buffer.from("{}"), null);
        else await once(signal, "abort");
      },
    });
    const ask = (model: string) => {
      const headers = { "x-api-key": shop.generalKey, "Content-Type": "application/json" };
      const asking = request(`${url}/v1/messages`, { method: "POST", headers, agent: false });
      asking.end(JSON.stringify({ ...message(), model }));
      return asking;
    };
    const [answer] = await once(ask("quick"), "response");
    await answer.resume().toArray();
    const leaving = ask("slow").on("error", () => {});
    await expect.poll(() => signals.length).toBe(2);
    leaving.destroy();
    await expect.poll(() => signals[1]?.aborted).toBe(true);
    expect(signals[0]?.aborted).toBe(false);
  });
});

test.each(["POST /v1/messages HTTP/9.9\r\n\r\n", "GET /v1 x\r\n\r\n"])(
  "what is not HTTP gets a 400 in the proxy's shape: %j",
  async (bytes) => {
    const { hostname, port } = new URL(shop.baseUrl);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const answer = String(Buffer.concat(await socket.toArray()));
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(answer.slice(answer.indexOf("{")))).toEqual(invalid.body);
  },
);

test("every answer names its request, also to vendor SDKs", async () => {
  for (const path of ["/v1/me", "/v1/nothing", "/v1/usage?limit=x"]) {
    const { headers } = await call(path, { headers: { "X-Request-Id": "caller-42" } });
    expect([headers.get("x-request-id"), headers.get("request-id")]).toEqual(["caller-42", "caller-42"]);
  }
});

test("a database that fails is a 500 that says nothing about it", async () => {
  const other = await startTestShop();
  await other.database.change("DROP TABLE models");
  const answer = await requestAiProxy(other, "/v1/models");
  expect(answer).toMatchObject({ status: 500, body: aiProxyError("api_error", anyText) });
  expect(JSON.stringify(answer.body)).not.toMatch(/table|sql|models/i);
  expect(other.log()).toContain("request failed");
  expect(other.log()).not.toContain(other.generalKey);
  await other.stop().catch(() => {});
});

/** Serves the shop once more, with another way to answer messages. @returns the root of the proxy. */
async function serve({
  create = () => Promise.reject(new Error("not expected")),
  countTokens = create,
  proxyHeaders,
}: {
  create?: (input: MessageRequest) => Promise<void>;
  countTokens?: (input: MessageRequest) => Promise<void>;
  proxyHeaders?: NonNullable<Parameters<typeof composeApps>[0]["proxyHeaders"]>;
}): Promise<string> {
  const { app } = composeApps({
    services: { ...shop, messages: { ...shop.messages, create, countTokens } },
    logger: pino({ level: "silent" }),
    metrics: createMetrics(),
    rateLimit: createRateLimit(null),
    validateResponses: true,
    ...(proxyHeaders && { proxyHeaders }),
  }).public;
  const listening = await listen(app, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listening.close());
  return listening.url;
}

/** What the operation is given when it is called like that. */
async function rawInputOf(
  path: string,
  options: Parameters<typeof requestAiProxy>[2],
): Promise<MessageRequest> {
  const seen: MessageRequest[] = [];
  const url = await serve({
    async create(input) {
      seen.push(input);
      input.answer.whole(Buffer.from("{}"), null);
    },
  });
  const answer = await requestShop(url, path, { key: shop.generalKey, ...options });
  expect(answer.status).toBe(200);
  return seen[0] as MessageRequest;
}
