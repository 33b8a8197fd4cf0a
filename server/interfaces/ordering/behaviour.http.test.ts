import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.stop());

const order = () => ({ externalOrderId: "o-1", productId: shop.productId, qty: 1 });

/** Sends bytes as they are and gives everything that comes back until the server closes. */
function sendRaw(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(shop.baseUrl);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (data) => {
      answer += data.toString();
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}

test.each(["Bearer", "bearer", "BEARER"])("a key is taken after the scheme written as %s", async (scheme) => {
  const headers = { Authorization: `${scheme} ${shop.orderingKey}` };
  expect((await fetch(`${shop.baseUrl}/balance`, { headers })).status).toBe(200);
});

describe("request ids", () => {
  test("a harmless X-Request-Id comes back, also on errors", async () => {
    for (const path of ["/pricing", "/nothing", "/products"]) {
      const answer = await shop.call(path, { key: null, headers: { "X-Request-Id": "buyer-42" } });
      expect(answer.headers.get("x-request-id")).toBe("buyer-42");
    }
  });

  test("a harmful or absent one is replaced", async () => {
    for (const headers of [{}, { "X-Request-Id": "a b" }, { "X-Request-Id": "x".repeat(129) }]) {
      const answer = await shop.call("/pricing", { key: null, headers });
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

test("a key that is sent as a request id is neither answered nor logged", async () => {
  for (const id of [shop.orderingKey, `trace-${shop.orderingKey}`, "sk-ant-api03-secret", "x_sk_live"]) {
    const answer = await shop.call("/pricing", { key: null, headers: { "X-Request-Id": id } });
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(shop.log()).not.toContain(id);
  }
});

test("what is for its caller alone is not to be kept by anything in between", async () => {
  const { body } = await shop.call("/orders", {
    body: { externalOrderId: "own", productId: shop.productId, qty: 1 },
  });
  for (const path of ["/balance", "/products", "/orders", `/orders/${body.orderId}`, "/orders/nothing"])
    expect((await shop.call(path)).headers.get("cache-control")).toBe("no-store");
  expect((await shop.call("/balance", { key: null })).headers.get("cache-control")).toBe("no-store");
});

describe("paths and methods", () => {
  test.each(["/nothing", "/ORDERS", "/orders/", "/products/", "/balance/x", "", "/", "/orders/a/b"])(
    "%s is a 404 in the interface's shape",
    async (path) => {
      const answer = await shop.call(path);
      expect(answer).toMatchObject({ status: 404, body: { error: "not_found" } });
    },
  );

  test.each(["/shop", "/shop/", "/shop/v2/orders"])("%s beside the base path is one, too", async (path) => {
    const response = await fetch(new URL(path, shop.baseUrl));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: "not_found" });
  });

  test.each([
    ["DELETE", "/orders", "GET, POST"],
    ["POST", "/products", "GET"],
    ["PUT", "/orders/x", "GET"],
    ["OPTIONS", "/balance", "GET"],
    ["PATCH", "/pricing", "GET"],
  ])("%s %s is a 405 that names the methods", async (method, path, allow) => {
    const answer = await shop.call(path, { method });
    expect(answer).toMatchObject({ status: 405, body: { error: "bad_request" } });
    expect(answer.headers.get("allow")?.split(", ").toSorted().join(", ")).toBe(allow);
  });

  test("HEAD is answered as GET is, without a body", async () => {
    const answer = await shop.call("/pricing", { method: "HEAD" });
    expect(answer).toMatchObject({ status: 200, body: null });
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(0);
    expect(await shop.call("/balance", { method: "HEAD", key: "none" })).toMatchObject({
      status: 401,
      body: null,
    });
  });

  test.each(["%", "%zz", "%ff", "%c3%28", "a%00b", "%E0%A4%A"])(
    "the undecodable id %s is refused where the contract knows a 400, and is no order elsewhere",
    async (id) => {
      expect(await shop.call(`/products/${id}/availability`)).toMatchObject({
        status: 400,
        body: { error: "invalid_input" },
      });
      expect(await shop.call(`/orders/${id}`)).toMatchObject({ status: 404, body: { error: "not_found" } });
      expect(await shop.call(`/orders/${id}`, { key: null })).toMatchObject({ status: 401 });
    },
  );

  test("a query parameter that the contract does not know is refused where the contract knows a 400", async () => {
    expect(await shop.call("/orders?page=2")).toMatchObject({
      status: 400,
      body: { error: "invalid_input" },
    });
    for (const query of ["page=2", "x=%00", "x=%ff", "x=%"]) {
      expect(await shop.call(`/products?${query}`)).toMatchObject({ status: 200 });
      expect(await shop.call(`/balance?${query}`)).toMatchObject({ status: 200 });
    }
  });
});

describe("bodies", () => {
  test.each([
    ["nothing", "", "bad_request"],
    ["no JSON", "qty=1", "bad_request"],
    ["half of a JSON object", '{"externalOrderId":"o-1",', "bad_request"],
    ["an array", "[]", "bad_request"],
    ["null", "null", "bad_request"],
    ["a string", '"order"', "bad_request"],
    ["a number", "1", "bad_request"],
    ["65 KiB", JSON.stringify({ externalOrderId: "x".repeat(65 * 1024) }), "bad_request"],
    ["an empty object", "{}", "invalid_input"],
    ["very deep nesting", `{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, "bad_request"],
  ])("a body of %s is refused", async (_name, body, error) => {
    const answer = await shop.call("/orders", { body });
    expect(answer).toMatchObject({ status: 400, body: { error, message: expect.any(String) } });
    expect(Object.keys(answer.body).toSorted()).toEqual(["error", "message"]);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "multipart/form-data",
    "nonsense",
  ])("the media type %s is bad_request", async (type) => {
    const answer = await shop.call("/orders", { body: order(), headers: { "Content-Type": type } });
    expect(answer).toMatchObject({ status: 400, body: { error: "bad_request" } });
  });

  test("an absent media type is bad_request", async () => {
    const body = JSON.stringify(order());
    const answer = await sendRaw(
      `POST /shop/v1/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${shop.orderingKey}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answer).toContain("400 Bad Request");
    expect(answer).toContain('"bad_request"');
  });

  test.each(["application/json; charset=utf-8", "APPLICATION/JSON", 'application/json;charset="UTF-8"; x=1'])(
    "the media type %s is JSON",
    async (type) => {
      const body = { ...order(), externalOrderId: `type ${type}`.slice(0, 64) };
      expect(await shop.call("/orders", { body, headers: { "Content-Type": type } })).toMatchObject({
        status: 200,
      });
    },
  );

  test("a charset other than UTF-8 is bad_request", async () => {
    const headers = { "Content-Type": "application/json; charset=utf-16" };
    const answer = await shop.call("/orders", { body: order(), headers });
    expect(answer).toMatchObject({ status: 400, body: { error: "bad_request" } });
  });

  test.each([
    ["a lone surrogate", String.raw`"\ud800"`],
    ["NUL", String.raw`"a\u0000"`],
  ])("%s in an id is invalid_input", async (_name, text) => {
    const body = `{"externalOrderId":${text},"productId":"p","qty":1}`;
    expect(await shop.call("/orders", { body })).toMatchObject({
      status: 400,
      body: { error: "invalid_input" },
    });
  });

  test("an id that is not UTF-8 is refused, for it could not be told from another", async () => {
    const body = (byte: number) =>
      Buffer.concat([
        Buffer.from('{"externalOrderId":"order-'),
        Buffer.from([byte]),
        Buffer.from(`","productId":"${shop.productId}","qty":1}`),
      ]);
    for (const byte of [0xe8, 0xe9, 0xff]) {
      expect(await shop.call("/orders", { body: body(byte) })).toMatchObject({
        status: 400,
        body: { error: "bad_request" },
      });
    }
    expect(await shop.call("/orders?externalOrderId=%E9")).toMatchObject({
      status: 400,
      body: { error: "invalid_input" },
    });
  });

  test("__proto__ is an unknown field", async () => {
    const body = `{"__proto__":{"qty":1},"externalOrderId":"proto","productId":"${shop.productId}","qty":1}`;
    expect(await shop.call("/orders", { body })).toMatchObject({
      status: 400,
      body: { error: "invalid_input" },
    });
  });

  test("a key is asked for before the body is judged", async () => {
    expect(await shop.call("/orders", { body: "{", key: null })).toMatchObject({ status: 401 });
    expect(await shop.call("/orders", { body: "{", key: shop.generalKey })).toMatchObject({ status: 403 });
  });
});

describe("answers", () => {
  test("JSON is sent as application/json without parameters, on success and on error", async () => {
    for (const path of ["/pricing", "/products", "/nothing"]) {
      expect((await shop.call(path)).headers.get("content-type")).toBe("application/json");
    }
  });

  test("what is not HTTP gets a 400 in the interface's shape", async () => {
    const answer = await sendRaw("nonsense\r\n\r\n");
    expect(answer).toContain("400 Bad Request");
    expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({ error: "bad_request" });
  });
});

test("a database that fails is a 500 that says nothing about it, and the log nothing about the buyer", async () => {
  const other = await startTestShop();
  for (const table of ["products", "orders"]) await other.database.change(`DROP TABLE ${table}`);
  const answers = [
    await other.call("/products"),
    await other.call("/orders?externalOrderId=canary-of-the-buyer"),
    await other.call("/orders", { body: { externalOrderId: "canary-of-the-buyer", productId: "p", qty: 1 } }),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(500);
    expect(body).toEqual({ error: "server_error", message: expect.any(String) });
    expect(JSON.stringify(body)).not.toMatch(/table|sql|products/i);
  }
  expect(other.log()).toContain("request failed");
  for (const secret of ["canary", Buffer.from("canary").toString("hex"), other.orderingKey]) {
    expect(other.log()).not.toContain(secret);
  }
  await other.stop().catch(() => {});
});
