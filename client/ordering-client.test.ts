import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, expectTypeOf, test } from "vitest";
import type { TransportRequest } from "./minimal-transport.ts";
import { createOrderingClient } from "./ordering-client.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer((request, response) =>
    request.resume().on("end", () => listener(request, response)),
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop/v1`;
}

const buyFrom = async (baseUrl: string) =>
  createOrderingClient({ baseUrl, apiKey: "svc_sk_a" }).POST("/orders", {
    body: { externalOrderId: "a", productId: "pen", qty: 1 },
  });

test("a request carries the key and its parameters, below the base URL", async () => {
  const url = await serve(({ method, url, headers }, response) => {
    response.end(JSON.stringify({ method, url, key: headers.authorization }));
  });
  const client = createOrderingClient({ baseUrl: url, apiKey: "svc_sk_a" });
  const { data } = await client.GET("/products/{id}/availability", {
    params: { path: { id: "a/b c" }, query: { qty: 3 } },
  });
  expect(data).toEqual({
    method: "GET",
    url: "/shop/v1/products/a%2Fb%20c/availability?qty=3",
    key: "Bearer svc_sk_a",
  });
});

test("an HTTP error is a value", async () => {
  const url = await serve((_, response) => {
    response.writeHead(409, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ error: "out_of_stock", message: "None left." }));
  });
  const { data, error, response } = await buyFrom(url);
  expect(data).toBeUndefined();
  expect(error).toEqual({ error: "out_of_stock", message: "None left." });
  expect(response.status).toBe(409);
});

test("what is no answer is thrown", async () => {
  await expect(buyFrom(await serve((request) => request.socket.destroy()))).rejects.toThrow("fetch failed");
  await expect(buyFrom(await serve((_, response) => response.end("<html>")))).rejects.toThrow(SyntaxError);
});

test("a redirect is not followed, since the key is for one address", async () => {
  let asked = 0;
  const other = await serve((_, response) => {
    asked++;
    response.end("{}");
  });
  const url = await serve((_, response) => {
    response.writeHead(307, { Location: `${other}/orders` });
    response.end();
  });
  await expect(buyFrom(url)).rejects.toThrow("fetch failed");
  expect(asked).toBe(0);
});

describe("the size of an answer", () => {
  const shapes: Record<string, (text: string) => RequestListener> = {
    chunked: (text) => (_, response) => {
      response.write(text.slice(0, 100));
      response.end(text.slice(100));
    },
    compressed: (text) => (_, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" });
      response.end(gzipSync(text));
    },
    "compressed, and told how small it is then": (text) => (_, response) => {
      const packed = gzipSync(text);
      response.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": packed.length });
      response.end(packed);
    },
    told: (text) => (_, response) => {
      response.writeHead(200, { "Content-Length": text.length });
      response.end(text);
    },
  };
  const textOf = (mebibytes: number) => JSON.stringify({ text: "x".repeat(mebibytes * 1024 * 1024) });

  test.each(Object.entries(shapes))("that is %s is bounded", async (_, shape) => {
    const { data } = await buyFrom(await serve(shape(textOf(3))));
    expect(data).toHaveProperty("text");
    await expect(buyFrom(await serve(shape(textOf(5))))).rejects.toThrow("The answer is too large.");
  });

  test("is bounded for errors, too, and where it never ends", async () => {
    const url = await serve((_, response) => {
      response.writeHead(500);
      const more = () => {
        while (response.write(Buffer.alloc(65_536, "x")));
      };
      response.on("drain", more);
      more();
    });
    await expect(buyFrom(url)).rejects.toThrow("The answer is too large.");
  });
});

describe("a client that sends in its own way", () => {
  const sent: TransportRequest[] = [];
  const { signal } = new AbortController();
  const answering = (status: number, text: string, headers = {}) =>
    createOrderingClient({
      baseUrl: "https://shop.example/shop/v1",
      apiKey: "svc_sk_a",
      send: async (request) => {
        sent.push(request);
        return { status, headers: new Headers(headers), text };
      },
    });

  test("hands over all that there is to send, once", async () => {
    const body = { externalOrderId: "a", productId: "pen", qty: 1 };
    await answering(200, "{}").POST("/orders", { body, signal });
    await answering(200, "{}").GET("/orders", { params: { query: { limit: 2, externalOrderId: "a&b" } } });
    const [post, get] = sent.splice(0);
    expect(post).toMatchObject({ url: "https://shop.example/shop/v1/orders", method: "POST", signal });
    expect(JSON.parse(post?.body ?? "")).toEqual(body);
    expect(Object.fromEntries(post?.headers ?? [])).toEqual({
      accept: "application/json",
      authorization: "Bearer svc_sk_a",
      "content-type": "application/json",
    });
    expect(get).toMatchObject({
      url: "https://shop.example/shop/v1/orders?limit=2&externalOrderId=a%26b",
      method: "GET",
      body: undefined,
    });
  });

  test.each([{ "Content-Length": "9" }, {}])(
    "reads what comes back, with %j for headers",
    async (headers) => {
      const ok = await answering(200, '{"a": 1}', headers).GET("/balance");
      expect(ok).toMatchObject({ data: { a: 1 }, response: { ok: true, status: 200 } });
      const { error, response } = await answering(429, '{"b": 2}', { ...headers, "Retry-After": "7" }).GET(
        "/balance",
      );
      expect({ error, status: response.status }).toEqual({ error: { b: 2 }, status: 429 });
      expect(response.headers.get("retry-after")).toBe("7");
      expect(await answering(502, "<html>", headers).GET("/balance")).toMatchObject({ error: "<html>" });
      await expect(answering(200, "<html>", headers).GET("/balance")).rejects.toThrow(SyntaxError);
    },
  );
});

test("paths, parameters, bodies and answers have the types of the contract", async () => {
  const client = createOrderingClient({ baseUrl: "https://shop.example", apiKey: "key" });
  const order = () => client.POST("/orders", { body: { externalOrderId: "a", productId: "b", qty: 1 } });
  type Answer = Awaited<ReturnType<typeof order>>;
  expectTypeOf<NonNullable<Answer["data"]>["codes"]>().toEqualTypeOf<string[]>();
  expectTypeOf<NonNullable<Answer["data"]>["redeemUrl"]>().toEqualTypeOf<string | null>();
  expectTypeOf<"out_of_stock">().toExtend<NonNullable<Answer["error"]>["error"]>();
  // @ts-expect-error a required field is missing
  () => client.POST("/orders", { body: { externalOrderId: "a", qty: 1 } });
  // @ts-expect-error there is no such path
  () => client.GET("/order");
  // @ts-expect-error the path's parameter is missing
  () => client.GET("/orders/{id}", {});
});
