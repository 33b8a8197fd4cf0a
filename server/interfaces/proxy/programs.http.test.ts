import { connect } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { composeApps } from "../../compose-http.ts";
import { type ListenOptions, listen } from "../../http/listen.ts";
import { createMetrics } from "../../http/metrics.ts";
import { createRateLimit } from "../../http/rate-limit.ts";
import { aiProxyError } from "../../testing/request-ai-proxy.ts";
import { startServerProcess } from "../../testing/server-process.ts";
import { addModels, ask, clientOf, startTestAiProxy, type TestAiProxy } from "../../testing/test-ai-proxy.ts";

// What programs do that no document describes: other base URLs, pages in browsers, HEAD, and calls while a process stops.
const ORIGIN = "https://app.example";
const HELD_BACK = "sim-slow-tokens-600000";
let shop: TestAiProxy;
/** The same shop, past the Prism of test runs, which knows documented paths and methods alone. */
let url: string;

beforeAll(async () => {
  shop = await startTestAiProxy();
  await addModels(shop, ["sim-echo", HELD_BACK]);
  url = await serve({ metrics, proxyCorsOrigins: [ORIGIN] });
});
afterAll(() => shop.stop());

const metrics = createMetrics();

type Parts = Parameters<typeof composeApps>[0];

/** Serves the shop once more. @returns the root of the proxy. */
async function serve({
  timeouts,
  ...parts
}: Partial<Parts> & Pick<ListenOptions, "timeouts"> = {}): Promise<string> {
  const { app, answerConnectionFault } = composeApps({
    services: shop,
    logger: pino({ level: "silent" }),
    metrics: createMetrics(),
    rateLimit: createRateLimit(null),
    validateResponses: true,
    ...parts,
  }).public;
  const listening = await listen(app, { host: "127.0.0.1", port: 0, answerConnectionFault, timeouts });
  shopEnd.push(() => listening.close());
  return listening.url;
}
const shopEnd: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of shopEnd) await close();
});

describe("base URLs", () => {
  test.each(["", "/", "/v1", "/v1/", "//", "//v1//"])("as programs write them work: %j", async (end) => {
    const client = clientOf(url + end, shop.generalKey);
    const { content } = await client.messages.create(ask("Hello"));
    expect(content).toEqual([{ type: "text", text: "Hello" }]);
    expect(
      (await client.beta.messages.countTokens({ model: "sim-echo", messages: ask("a").messages }))
        .input_tokens,
    ).toBe(1);
  });

  test("lead to the same operation and admission however their paths are written", async () => {
    const counted = async () => {
      const figures = await metrics.registry.metrics();
      const labels = 'interface="proxy",operation="listModels"';
      return ["200", "401"].map((status) => {
        const line = `http_request_duration_seconds_count{${labels},status="${status}"} `;
        return Number(figures.split(line)[1]?.split("\n")[0] ?? 0);
      });
    };
    const paths = ["/v1/models", "/v1/models/", "/v1//models//", "///v1/v1///models?beta=true"];
    const before = await counted();
    for (const path of paths) {
      const answer = await fetch(url + path, { headers: { "x-api-key": shop.generalKey } });
      expect(await answer.json()).toMatchObject({ data: expect.any(Array) });
      expect((await fetch(url + path)).status).toBe(401);
    }
    const after = before.map((count) => count + paths.length);
    await expect.poll(counted).toEqual(after);
    // The other interface is exact, and is not reached from here.
    const key = { Authorization: `Bearer ${shop.orderingKey}` };
    expect((await fetch(`${url}//shop/v1/balance`, { headers: key })).status).toBe(404);
  });

  test("that are wrong get a 404 that says the right path, and so does what is not offered", async () => {
    const wrong = await clientOf(`${url}/anthropic`, shop.generalKey)
      .messages.create(ask("a"))
      .catch((error) => error);
    expect(wrong).toMatchObject({ status: 404, error: { error: { type: "not_found_error" } } });
    expect(wrong.message).toContain("the path is /v1/messages");
    const batches = await clientOf(url, shop.generalKey)
      .messages.batches.list()
      .catch((error) => error);
    expect(batches).toMatchObject({
      status: 404,
      error: { type: "error", error: { type: "not_found_error" } },
    });
    expect(batches.message).toContain("not offered by this shop");
  });
});

describe("what no application sees", () => {
  let impatientUrl: string;
  beforeAll(async () => {
    const timeouts = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 10 };
    impatientUrl = await serve({ timeouts });
  });

  /** Sends a request that is no HTTP, or not a whole one, and reads to the end of the connection. */
  async function post(
    root: string,
    path: string,
    key: string,
    rest: string,
  ): Promise<{ head: string; body: unknown }> {
    const { hostname, port } = new URL(root);
    const bytes = `POST ${path} HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n${rest}`;
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const [head = "", body = ""] = String(Buffer.concat(await socket.toArray())).split("\r\n\r\n");
    return { head, body: body && JSON.parse(body) };
  }
  const half = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{";

  test.each([
    [408, "timeout_error", "true", half],
    [400, "invalid_request_error", "false", "Host: x\r\nContent-Length: x\r\n\r\n"],
    [400, "invalid_request_error", "false", `Host: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    [400, "invalid_request_error", "false", "Host: x\r\nHost: y\r\n\r\n"],
    [400, "invalid_request_error", "false", "\r\n"],
  ])("is answered in the proxy's shape: %i %s, X-Should-Retry: %s", async (status, type, retry, rest) => {
    const { head, body } = await post(
      status === 408 ? impatientUrl : url,
      "/v1/messages",
      shop.generalKey,
      rest,
    );
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const [, requestId] = /^X-Request-Id: (.+)\r$/m.exec(head) ?? [];
    expect(head).toMatch(new RegExp(`^Request-Id: ${requestId}\r$`, "m"));
    expect(head).toContain(`X-Should-Retry: ${retry}\r\n`);
    expect(body).toEqual(aiProxyError(type, expect.any(String)));
  });

  test("is answered in the ordering interface's shape where it is meant for that", async () => {
    const { head, body } = await post(impatientUrl, "/shop/v1/orders", shop.orderingKey, half);
    expect(head).toMatch(/^HTTP\/1.1 408 /);
    expect(body).toEqual({ error: "bad_request", message: expect.stringContaining("Send it again") });
  });
});

/** What the document describes of answers, and a page may want to read. */
const READABLE = [
  ...["Request-Id", "X-Request-Id", "Retry-After", "X-Should-Retry", "X-Lowered-Max-Tokens"],
  ...["limit", "remaining", "reset"].map((name) => `anthropic-ratelimit-requests-${name}`),
];

function exposedIn({ headers }: Response): string[] {
  return (headers.get("access-control-expose-headers") ?? "").split(", ").toSorted();
}

describe("a page in a browser", () => {
  const preflight = (path: string, origin: string, root = url) =>
    fetch(root + path, {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-api-key,content-type",
      },
    });

  test("of a listed origin may call, and read what tells it when to come again", async () => {
    const allowed = await preflight("/v1/messages", ORIGIN);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(allowed.headers.get("access-control-allow-headers")).toBe("x-api-key,content-type");
    expect(allowed.headers.get("access-control-allow-methods")).toContain("POST");
    for (const key of [shop.generalKey, "wrong"]) {
      const answer = await fetch(`${url}/v1/me`, { headers: { Origin: ORIGIN, "x-api-key": key } });
      expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
      expect(exposedIn(answer)).toEqual(READABLE.toSorted());
      expect(answer.headers.get("vary")).toContain("Origin");
    }
  });

  test("is told by Vary that others may be answered otherwise, whoever it is", async () => {
    for (const origin of [ORIGIN, "https://elsewhere.example", undefined]) {
      const answer = await fetch(`${url}/v1/me`, { headers: origin === undefined ? {} : { Origin: origin } });
      expect(answer.headers.get("vary"), `Vary of an answer to ${origin ?? "no origin"}`).toContain("Origin");
    }
  });

  test("may read the headers of the rate limit as the operator has named them", async () => {
    const renamed = await serve({
      proxyCorsOrigins: [ORIGIN],
      proxyHeaders: { token: "acme-token", rateLimitPrefix: "acme-limit" },
    });
    const exposed = exposedIn(await fetch(`${renamed}/v1/me`, { headers: { Origin: ORIGIN } }));
    expect(exposed.filter((name) => /limit/.test(name))).toEqual([
      "acme-limit-requests-limit",
      "acme-limit-requests-remaining",
      "acme-limit-requests-reset",
    ]);
  });

  test("of another origin may not, and none may order", async () => {
    for (const [path, origin] of [
      ["/v1/messages", "https://other.example"],
      ["/v1/messages", "null"],
      ["/shop/v1/orders", ORIGIN],
    ] as const) {
      const refused = await preflight(path, origin);
      expect(refused.status).toBe(405);
      expect(refused.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test("may not call at all where no origins are set", async () => {
    const closed = await serve();
    expect(
      (await preflight("/v1/messages", ORIGIN, closed)).headers.get("access-control-allow-origin"),
    ).toBeNull();
  });

  test("may order where the ordering interface lists it", async () => {
    const open = await serve({ orderingCorsOrigins: [ORIGIN] });
    expect((await preflight("/shop/v1/orders", ORIGIN, open)).status).toBe(204);
  });
});

test("HEAD is answered as GET is", async () => {
  const headers = { "x-api-key": shop.generalKey };
  const head = await fetch(`${url}/v1/models`, { method: "HEAD", headers });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await fetch(`${url}/v1/messages`, { method: "HEAD", headers })).status).toBe(405);
});

test("who calls while a process stops is told when to come again, until the calls under way have ended", async () => {
  const server = await startServerProcess(shop.databaseUrl, {
    UPSTREAM_URL: shop.upstream.url,
    UPSTREAM_API_KEY: shop.upstream.apiKey,
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const { origin } = new URL(server.baseUrl);
  const client = clientOf(origin, shop.generalKey);
  const stream = await client.messages.create({ ...ask("one two", HELD_BACK), stream: true });
  const ended = server.kill("SIGTERM");
  const calling = () =>
    client.messages.create(ask("too late")).then(
      () => null,
      (error) => error,
    );
  await expect.poll(async () => (await calling())?.status).toBe(503);
  const refused = await calling();
  expect(refused).toMatchObject({ status: 503, error: { error: { type: "api_error" } } });
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(refused.headers.get("x-should-retry")).toBe("true");
  const order = { externalOrderId: "late", productId: shop.productId, qty: 1 };
  const ordered = await fetch(`${server.baseUrl}/orders`, {
    method: "POST",
    headers: { Authorization: `Bearer ${shop.orderingKey}`, "Content-Type": "application/json" },
    body: JSON.stringify(order),
  });
  expect([ordered.status, ordered.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await ordered.json()).toMatchObject({ error: "supplier_unavailable" });
  const types: string[] = [];
  const reading = (async () => {
    for await (const { type } of stream) types.push(type);
  })();
  await expect
    .poll(() => {
      shop.upstream.endDelays();
      return types.at(-1);
    })
    .toBe("message_stop");
  await reading;
  expect(await ended).toBe(0);
});
