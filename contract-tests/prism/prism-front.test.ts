import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openContract } from "../contract.ts";
import { type PrismFront, startPrismFront } from "./prism-front.ts";

const MIB = 1024 * 1024;
const HEADERS = { "Content-Type": "application/json", "X-Request-Id": "a" };
const PROXY_HEADERS = {
  "Request-Id": "a",
  "anthropic-ratelimit-requests-limit": "60",
  "anthropic-ratelimit-requests-remaining": "59",
  "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:00Z",
};
const REFUSAL = { error: "rate_limited", message: "Too many." };

/** The first example of an answer of the ordering interface. */
function exampleOf(operationId: string): Record<string, unknown> {
  const operation = openContract("ordering").operations.find((it) => it.operationId === operationId);
  const [example] = Object.values(operation?.responses[200]?.content["application/json"]?.examples ?? {});
  return example?.value as Record<string, unknown>;
}

/** How the service answers. */
let answer: (reply: ServerResponse, body: Buffer) => void;
const answerWith = (status: number, body: unknown, headers: Record<string, string> = HEADERS) => {
  answer = (reply) =>
    reply.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
};

const service = createServer(async (asked, reply) => {
  const chunks: Buffer[] = [];
  for await (const chunk of asked) chunks.push(chunk);
  answer(reply, Buffer.concat(chunks));
});
let front: PrismFront;
let url: string;
beforeAll(async () => {
  await once(service.listen(0, "127.0.0.1"), "listening");
  front = await startPrismFront();
  url = await front.open(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await front.close();
  service.close();
});
beforeEach(() => answerWith(404, REFUSAL));

const post = (path: string, body: string | Buffer<ArrayBuffer>) =>
  fetch(url + path, { method: "POST", body, headers: { "Content-Type": "application/json" } });

describe("an answer that keeps to the contract", () => {
  test("reaches the client as the service wrote it", async () => {
    const written = JSON.stringify(exampleOf("getBalance"), null, 3).replaceAll(":", " :\t");
    answerWith(200, written, { ...HEADERS, "Cache-Control": "no-store" });
    const response = await fetch(`${url}/shop/v1/balance`);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.text()).toBe(written);
    expect(await front.takeFaults()).toEqual([]);
  });

  test.each([
    ["half of a JSON object", Buffer.from('{"qty": 1e0,')],
    ["bytes that are no text", Buffer.from([0xff, 0x00, 0xe9])],
    ["the same field twice", Buffer.from('{ "a":1,"a":1.0 }')],
    ["32 MiB", Buffer.alloc(32 * MIB, "x")],
  ])("may be to %s, of which the service is sent every byte", async (_name, body) => {
    let received: Buffer | null = null;
    answer = (reply, bytes) => {
      received = bytes;
      reply.writeHead(400, HEADERS).end('{"error":"bad_request","message":"No."}');
    };
    expect((await post("/shop/v1/orders", body)).status).toBe(400);
    expect(body.equals(received ?? Buffer.alloc(0))).toBe(true);
    expect(await front.takeFaults()).toEqual([]);
  });
});

describe("a fault is found in", () => {
  const balance = exampleOf("getBalance");
  const { currency: _, ...withoutCurrency } = balance;
  const withoutId = { "Content-Type": "application/json" };

  test.each<[string, number, unknown, Record<string, string>, string]>([
    [
      "an undocumented error",
      418,
      REFUSAL,
      HEADERS,
      "Unable to match the returned status code with those defined",
    ],
    [
      "an undocumented success",
      202,
      balance,
      HEADERS,
      "Unable to match the returned status code with those defined",
    ],
    [
      "a missing field",
      200,
      withoutCurrency,
      HEADERS,
      "Response body must have required property 'currency'",
    ],
    [
      "an extra field",
      200,
      { ...balance, debt: 1 },
      HEADERS,
      "must NOT have additional properties; found 'debt'",
    ],
    [
      "a wrong type",
      200,
      { ...balance, balance: 1 },
      HEADERS,
      "Response body property balance must be string",
    ],
    ["another pattern", 200, { ...balance, balance: "-1" }, HEADERS, "property balance must match pattern"],
    [
      "another constant",
      200,
      { ...balance, currency: "EUR" },
      HEADERS,
      "property currency must be equal to constant",
    ],
    [
      "an error of another status",
      429,
      { ...REFUSAL, error: "not_found" },
      HEADERS,
      "property error must be equal to",
    ],
    [
      "a missing header",
      200,
      balance,
      withoutId,
      "Response header must have required property 'x-request-id'",
    ],
    [
      "a missing Retry-After",
      429,
      REFUSAL,
      HEADERS,
      "Response header must have required property 'retry-after'",
    ],
    [
      "a header of a wrong type",
      429,
      REFUSAL,
      { ...HEADERS, "Retry-After": "soon" },
      "retry-after must be integer",
    ],
    [
      "another media type",
      200,
      balance,
      { ...HEADERS, "Content-Type": "text/html" },
      'received media type "text/html"',
    ],
    [
      "a header that is not documented",
      200,
      balance,
      { ...HEADERS, "Access-Control-Allow-Origin": "*" },
      "header access-control-allow-origin is not documented",
    ],
    [
      "amounts that contradict each other",
      200,
      { ...balance, available: "1.00" },
      HEADERS,
      "body is a Balance of which it must hold: available is balance minus reserved",
    ],
    ["half of a body", 200, '{"balance":', HEADERS, "Prism cannot read the answer"],
    ["an empty body", 200, "", HEADERS, "Prism cannot read the answer"],
  ])("%s", async (_name, status, body, headers, fault) => {
    answerWith(status, body, headers);
    await (await fetch(`${url}/shop/v1/balance`)).text();
    const faults = await front.takeFaults();
    expect(faults.join("\n")).toContain(fault);
    for (const line of faults) expect(line).toMatch(new RegExp(`^ordering getBalance ${status}: `));
    expect(await front.takeFaults()).toEqual([]);
  });

  test("a success where no document has an operation", async () => {
    answerWith(200, {});
    expect((await fetch(`${url}/shop/v1/secrets`)).status).toBe(200);
    expect((await fetch(`${url}/shop/v1/balance`, { method: "DELETE" })).status).toBe(200);
    expect(await front.takeFaults()).toEqual([
      "GET of what no document knows was answered 200, and not refused",
      "DELETE of what no document knows was answered 200, and not refused",
    ]);
  });

  test("a redirection", async () => {
    answerWith(302, REFUSAL, { ...HEADERS, Location: "/shop/v1/pricing" });
    await fetch(`${url}/shop/v1/balance`, { redirect: "manual" });
    expect(await front.takeFaults()).toEqual([
      expect.stringContaining("ordering getBalance 302: Unable to match"),
    ]);
  });
});

test("in place of an answer with a fault comes Prism's problem", async () => {
  answerWith(200, {});
  const response = await fetch(`${url}/shop/v1/pricing`);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ type: "https://stoplight.io/prism/errors#VIOLATIONS" });
  const faults = await front.takeFaults();
  for (const field of ["levels", "products"])
    expect(faults).toContainEqual(expect.stringContaining(`must have required property '${field}'`));
});

describe("a stream", () => {
  const stream = { ...HEADERS, ...PROXY_HEADERS, "Content-Type": "text/event-stream; charset=utf-8" };
  const { "X-Request-Id": _, ...streamWithoutId } = stream;

  test.each([
    [stream, []],
    [
      streamWithoutId,
      [
        expect.stringContaining(
          "createMessage 200: Response header must have required property 'x-request-id'",
        ),
      ],
    ],
  ])("comes as it flows, and is judged at its end", async (headers, faults) => {
    let end = () => {};
    answer = (reply) => {
      reply.writeHead(200, headers).write("event: ping\ndata: {}\n\n");
      end = () => reply.end("event: message_stop\ndata: {}\n\n");
    };
    const response = await post("/v1/messages", "{}");
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe("event: ping\ndata: {}\n\n");
    expect(await front.takeFaults()).toEqual([]);
    end();
    await expect.poll(() => front.takeFaults()).toEqual(faults);
  });

  test("stops for the service when the client goes away", async () => {
    const gone = Promise.withResolvers<void>();
    answer = (reply) => {
      reply.once("close", gone.resolve);
      reply.writeHead(200, stream).write("event: ping\n");
    };
    const response = await post("/v1/messages", "{}");
    await response.body?.cancel();
    await gone.promise;
    expect(await front.takeFaults()).toEqual([]);
  });
});

describe("what breaks off for one breaks off for the other", () => {
  test.each([
    ["before its head", (reply: ServerResponse) => void reply.destroy()],
    [
      "in its body",
      (reply: ServerResponse) => void reply.writeHead(200, HEADERS).write("{", () => reply.destroy()),
    ],
  ])("%s, and is not judged", async (_name, breakOff) => {
    answer = breakOff;
    await expect(fetch(`${url}/shop/v1/pricing`)).rejects.toThrow("fetch failed");
    expect(await front.takeFaults()).toEqual([]);
  });

  test("when the client goes away before the answer", async () => {
    const gone = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    answer = (reply) => {
      reply.once("close", gone.resolve);
      asked.resolve();
    };
    const leaving = new AbortController();
    const asking = fetch(`${url}/shop/v1/pricing`, { signal: leaving.signal });
    await asked.promise;
    leaving.abort();
    await expect(asking).rejects.toThrow();
    await gone.promise;
    expect(await front.takeFaults()).toEqual([]);
  });
});

test("HEAD, OPTIONS, unknown paths and what is no HTTP are left to the service", async () => {
  front.takeTally();
  const { hostname, port } = new URL(url);
  for (const method of ["HEAD", "OPTIONS", "PUT"]) {
    expect((await fetch(`${url}/shop/v1/orders`, { method })).status).toBe(404);
  }
  for (const path of ["/", "/shop", "/shop/v1", "/v2/me", "/%zz"]) {
    expect((await fetch(url + path)).status).toBe(404);
  }
  for (const line of ["GET * HTTP/1.1", "GET http://x/shop/v1/x HTTP/1.1", "nonsense"]) {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${line}\r\nConnection: close\r\n\r\n`),
    );
    expect(String(Buffer.concat(await socket.toArray()))).toMatch(/^HTTP\/1.1 40[04] /);
  }
  expect(front.takeTally().judged).toEqual({});
  expect(await front.takeFaults()).toEqual([]);
});
