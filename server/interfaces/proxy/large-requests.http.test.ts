import { once } from "node:events";
import { type IncomingMessage, type OutgoingHttpHeaders, type RequestListener, request } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { composeApps } from "../../compose-http.ts";
import { listen } from "../../http/listen.ts";
import { createMetrics, type Metrics } from "../../http/metrics.ts";
import { createRateLimit } from "../../http/rate-limit.ts";
import type { MessageRequest } from "../../messages/messages.ts";
import { aiProxyError, requestAiProxy } from "../../testing/request-ai-proxy.ts";
import { addModels } from "../../testing/test-ai-proxy.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

const MIB = 1024 ** 2;

let shop: TestShop;
let proxyUrl: string;
beforeAll(async () => {
  shop = await startTestShop();
  proxyUrl = new URL(shop.baseUrl).origin;
});
afterAll(() => shop.stop());

const anyText = expect.stringMatching(/./);
const message = (more: object = {}) => ({
  model: "m",
  max_tokens: 10,
  messages: [{ role: "user", content: "Hello" }],
  ...more,
});

/** Begins to write a request, of which the body is to come. */
function begin(headers: OutgoingHttpHeaders, { url = proxyUrl, key = shop.generalKey } = {}) {
  const sending = request(`${url}/v1/messages/count_tokens`, {
    method: "POST",
    headers: { "x-api-key": key, "Content-Type": "application/json", ...headers },
  });
  sending.on("error", () => {});
  onTestFinished(() => void sending.destroy());
  return sending;
}

async function answerTo(sending: ReturnType<typeof begin>) {
  const [response] = (await once(sending, "response")) as [IncomingMessage];
  const body = await text(response);
  return {
    status: response.statusCode,
    headers: response.headers,
    body: body === "" ? null : JSON.parse(body),
  };
}

test.each([
  ["larger than the limit", { "Content-Length": 32 * MIB + 1 }, "larger than 32mb"],
  ["compressed", { "Content-Length": 5 * MIB, "Content-Encoding": "gzip" }, "must not be compressed"],
  ["of another media type", { "Content-Length": 5 * MIB, "Content-Type": "text/plain" }, "must be JSON"],
])("a body that is %s is refused before it is sent", async (_what, headers, words) => {
  const sending = begin(headers);
  sending.flushHeaders();
  const answer = await answerTo(sending);
  expect(answer).toMatchObject({ status: 400, headers: { connection: "close" } });
  expect(answer.body).toEqual(aiProxyError("invalid_request_error", expect.stringContaining(words)));
});

test("33 KB of gzip that hold 32 MiB are not unpacked", async () => {
  const packed = gzipSync(JSON.stringify(message({ system: "x".repeat(32 * MIB - 200) })));
  const headers = { "Content-Encoding": "gzip" };
  const answer = await requestAiProxy(shop, "/v1/messages/count_tokens", { body: packed, headers });
  expect(answer).toMatchObject({ status: 400, body: aiProxyError("invalid_request_error", anyText) });
});

test.each([
  ["more values than it may", '{"messages":[', "{},", "more than 250000 values"],
  ["more names than it may", '{"messages":[', '{"a":1},', "more than 250000 values"],
  ["more levels than it may", '{"messages":', "[", "more than 200 levels"],
  ["what is no JSON", "{", "no JSON", "not readable as JSON"],
  ["what is no UTF-8", '{"a":"', Buffer.from([0xff]), "not readable as JSON"],
])("a body that holds %s is refused when it does, not at its end", async (_what, start, repeated, words) => {
  const sending = begin({ "Content-Length": 30 * MIB });
  sending.write(start);
  const piece = Buffer.alloc(64 * 1024 - ((64 * 1024) % repeated.length), repeated);
  for (let bytes = 0; bytes < 3 * MIB; bytes += piece.length) sending.write(piece);
  const answer = await answerTo(sending);
  expect(answer).toMatchObject({ status: 400, headers: { connection: "close" } });
  expect(answer.body.error.message).toContain(words);
});

test("a large request to a model that there is not is refused as soon as its model has come", async () => {
  const turns = '{"role":"user","content":"x"},'.repeat(10_000);
  for (const start of ['{"model":"none","max_tokens":10,', '{"max_tokens":10,"model":"none",']) {
    const sending = begin({ "Content-Length": 30 * MIB });
    sending.write(`${start}"messages":[${turns}`);
    const refusal = expect.stringContaining('The model "none" is not available');
    expect(await answerTo(sending)).toMatchObject({
      status: 400,
      headers: { connection: "close" },
      body: aiProxyError("invalid_request_error", refusal),
    });
  }
});

test("a client that sends on after its answer gets to read it", async () => {
  const sending = begin({ "Content-Length": 40 * MIB });
  sending.end(Buffer.alloc(40 * MIB, " "));
  expect(await answerTo(sending)).toMatchObject({ status: 400 });
});

test("a client that waits to be asked for its body is asked only when it is wanted", async () => {
  let asked = 0;
  const ask = (headers: OutgoingHttpHeaders, key = shop.generalKey) => {
    const sending = begin({ Expect: "100-continue", ...headers }, { key });
    sending.on("continue", () => {
      asked += 1;
      sending.end(JSON.stringify(message()));
    });
    sending.flushHeaders();
    return answerTo(sending);
  };
  const refused = { status: 400, headers: { connection: "close" } };
  expect(await ask({ "Content-Length": 33 * MIB })).toMatchObject(refused);
  expect(await ask({ "Content-Length": 10 }, "wrong")).toMatchObject({ ...refused, status: 401 });
  expect(asked).toBe(0);
  const unknownModel = await ask({ "Content-Length": JSON.stringify(message()).length });
  expect(unknownModel.body.error.message).toContain('The model "m" is not available');
  expect(asked).toBe(1);
});

test("what is sent a byte at a time comes whole", async () => {
  const body = Buffer.from(JSON.stringify(message({ system: 'é"\\漢\u{1f600}'.repeat(3_000) })));
  const seen: string[] = [];
  const { url } = await serve({
    async countTokens({ body, answer }) {
      seen.push(Buffer.concat(body.pieces).toString(), JSON.stringify(body.json));
      answer.whole(Buffer.from("{}"), null);
    },
  });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(
    `POST /v1/messages/count_tokens HTTP/1.1\r\nHost: x\r\nx-api-key: ${shop.generalKey}\r\n` +
      "Connection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
  );
  for (const byte of body) socket.write(Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]));
  socket.write("0\r\n\r\n");
  expect(await text(socket)).toContain("200 OK");
  expect(seen).toEqual([body.toString(), JSON.stringify(JSON.parse(body.toString()))]);
});

test("a large request of an account with nothing available is refused before it is read", async () => {
  const { key } = await shop.addKey(await shop.addAccount("0"), "general");
  const sending = begin({ "Content-Length": 5 * MIB }, { key });
  sending.flushHeaders();
  const refused = { status: 402, body: aiProxyError("billing_error", anyText) };
  expect(await answerTo(sending)).toMatchObject({ ...refused, headers: { connection: "close" } });
  const unsaid = begin({ "Transfer-Encoding": "chunked" }, { key });
  unsaid.write('{"system":"');
  unsaid.write("x".repeat(80_000));
  expect(await answerTo(unsaid)).toMatchObject(refused);
  const small = await requestAiProxy(shop, "/v1/messages/count_tokens", { key, body: message() });
  expect(small.body.error.message).toContain("is not available");
});

test("bodies under way are bounded for each account and for all together", async () => {
  const bodyMemoryLimits = { processBytes: 10 * MIB, accountBytes: 3 * MIB };
  const { url, metrics } = await serve({}, { bodyMemoryLimits });
  const hold = async (key: string) => {
    const before = await heldBytes(metrics);
    const sending = begin({ "Content-Length": 2 * MIB }, { url, key });
    sending.write('{"system":"');
    sending.write("x".repeat(1.2 * MIB));
    await expect.poll(() => heldBytes(metrics)).toBeGreaterThan(before + 2.3 * MIB);
    return sending;
  };
  const next = async (key: string) => {
    const sending = begin({ "Content-Length": 2 * MIB }, { url, key });
    sending.write(`{"system":"${"x".repeat(1.2 * MIB)}`);
    return answerTo(sending);
  };
  const held = [await hold(shop.generalKey)];
  expect(await next(shop.generalKey)).toMatchObject({
    status: 429,
    headers: { "retry-after": "2", "x-should-retry": "true", connection: "close" },
    body: aiProxyError("rate_limit_error", expect.stringContaining("The account")),
  });
  const others = async () => (await shop.addKey(await shop.addAccount(), "general")).key;
  held.push(await hold(await others()), await hold(await others()));
  expect(await next(await others())).toMatchObject({
    status: 503,
    headers: { "retry-after": "2", "x-should-retry": "true", connection: "close" },
    body: aiProxyError("api_error", expect.stringContaining("The service")),
  });
  // A small one finds room all the same.
  const { status } = await requestAiProxy({ ...shop, baseUrl: `${url}/shop/v1` }, "/v1/messages", {
    body: message(),
  });
  expect(status).toBe(400);
  for (const sending of held) sending.destroy();
  await expect.poll(() => heldBytes(metrics)).toBe(0);
});

test("a body is held until it is let go, and no longer than until its answer", async () => {
  const { url, metrics } = await serve({
    async countTokens({ body, answer }) {
      expect(await heldBytes(metrics)).toBeGreaterThan(2 * MIB);
      if (body.length % 2 === 0) body.release();
      answer.begin("text/event-stream", null);
      answer.write(Buffer.from("\n"));
    },
  });
  await addModels(shop, ["offered"]);
  for (const length of [MIB, MIB + 1]) {
    const body = JSON.stringify(message({ model: "offered", system: "" }));
    const whole = body.replace('"system":""', `"system":"${"x".repeat(length - body.length)}"`);
    const sending = begin({ "Content-Length": length }, { url });
    sending.end(whole);
    const [response] = (await once(sending, "response")) as [IncomingMessage];
    const isLetGo = length % 2 === 0;
    expect((await heldBytes(metrics)) === 0).toBe(isLetGo);
    response.destroy();
    await expect.poll(() => heldBytes(metrics)).toBe(0);
  }
});

test("a client that takes nothing of its answer is cut off", async () => {
  const { url } = await serve(
    {
      async countTokens({ answer }) {
        answer.whole(Buffer.alloc(64 * MIB), null);
      },
    },
    { clientStallMs: 300 },
  );
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const body = JSON.stringify(message());
  socket.write(
    `POST /v1/messages/count_tokens HTTP/1.1\r\nHost: x\r\nx-api-key: ${shop.generalKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await once(socket, "readable");
  socket.on("error", () => {});
  await once(servedSocket(), "close");
  socket.destroy();
});

const served: { socket?: Socket } = {};

function servedSocket() {
  if (served.socket === undefined) throw new Error("Nobody has asked yet.");
  return served.socket;
}

/** Serves the shop with use cases that do what the test says. */
async function serve(
  { countTokens = async () => {} }: { countTokens?: (request: MessageRequest) => Promise<void> },
  { clientStallMs = 600_000, bodyMemoryLimits = { processBytes: 100 * MIB, accountBytes: 100 * MIB } } = {},
): Promise<{ url: string; metrics: Metrics }> {
  const metrics = createMetrics();
  const { app } = composeApps({
    services: { ...shop, messages: { ...shop.messages, countTokens } },
    logger: pino({ level: "silent" }),
    metrics,
    rateLimit: createRateLimit(null),
    validateResponses: true,
    bodyMemoryLimits,
  }).public;
  const serving: RequestListener = (req, res) => {
    served.socket = req.socket;
    app(req, res);
  };
  const listening = await listen(serving, { host: "127.0.0.1", port: 0, clientStallMs });
  onTestFinished(() => listening.close());
  return { url: listening.url, metrics };
}

async function heldBytes({ registry }: Metrics): Promise<number> {
  return Number(/^request_body_memory_bytes (\S+)$/m.exec(await registry.metrics())?.[1]);
}
