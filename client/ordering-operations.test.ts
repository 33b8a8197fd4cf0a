import { inspect } from "node:util";
import { describe, expect, expectTypeOf, test } from "vitest";
import { NoAnswerError } from "./no-answer-error.ts";
import { createOrderingClient } from "./ordering-client.ts";
import { ERROR_STATUSES, type ErrorCode, type OrderingError, type PriceChange } from "./ordering-errors.ts";

const order = { externalOrderId: "a", productId: "pen", qty: 1 };

/** A client whose requests are answered by a function. */
const clientOf = (answer: (request: Request) => Response | Promise<Response>) => {
  const requests: Request[] = [];
  const client = createOrderingClient({
    baseUrl: "https://shop.example/shop/v1",
    apiKey: "svc_sk_a",
    timeoutMs: 5_000,
    fetch: async (request) => {
      requests.push(request);
      return answer(request);
    },
  });
  return { client, requests };
};

const json = (status: number, body: unknown, headers = {}) => Response.json(body, { status, headers });

test("every operation sends its request", async () => {
  const { client, requests } = clientOf(() => json(200, { fine: true }));
  const results = [
    await client.getPricing(),
    await client.listProducts(),
    await client.checkAvailability("a/b", 3),
    await client.getBalance(),
    await client.createOrder(order),
    await client.listOrders({ limit: 2, externalOrderId: "a&b" }),
    await client.getOrder("ord_1"),
  ];
  for (const { data } of results) expect(data).toEqual({ fine: true });
  expect(requests.map(({ method, url }) => `${method} ${url.slice(28)}`)).toEqual([
    "GET /pricing",
    "GET /products",
    "GET /products/a%2Fb/availability?qty=3",
    "GET /balance",
    "POST /orders",
    "GET /orders?limit=2&externalOrderId=a%26b",
    "GET /orders/ord_1",
  ]);
  const ids = requests.map(({ headers }) => headers.get("X-Request-Id"));
  expect(new Set(ids).size).toBe(requests.length);
  expect(requests[0]?.headers.get("Authorization")).toBe("Bearer svc_sk_a");
});

test("a request has the caller's id, and an answer the service's", async () => {
  const { client, requests } = clientOf(() => json(200, {}, { "X-Request-Id": "theirs" }));
  const { requestId } = await client.getBalance({ requestId: "mine" });
  expect(requests[0]?.headers.get("X-Request-Id")).toBe("mine");
  expect(requestId).toBe("theirs");
});

describe("an error", () => {
  test.each(Object.entries(ERROR_STATUSES))("%s is told by its code", async (error, status) => {
    const { client } = clientOf(() => json(status, { error, message: "No.", details: { a: 1 } }));
    const result = await client.createOrder(order);
    expect(result.error).toMatchObject({ error, status, message: "No.", retryAfterMs: null });
  });

  test("comes with its details and with how long to wait", async () => {
    const prices = { expectedUnitPrice: "1.00", actualUnitPrice: "1.10" };
    const closed = { orderId: "ord_1", status: "failed", errorCode: null };
    const errorOf = async (error: ErrorCode, details: unknown, headers = {}) => {
      const answer = () => json(ERROR_STATUSES[error], { error, message: "No.", details }, headers);
      return (await clientOf(answer).client.createOrder(order)).error;
    };
    expect(await errorOf("price_changed", prices)).toMatchObject({ details: prices });
    expect(await errorOf("price_changed", {})).toMatchObject({ details: null });
    expect(await errorOf("idempotency_conflict", closed)).toMatchObject({ details: closed });
    expect(await errorOf("idempotency_conflict", undefined)).toMatchObject({ details: null });
    expect(await errorOf("order_in_progress", { retryAfterSeconds: 3 })).toMatchObject({
      retryAfterMs: 3000,
    });
    // Up to a day.
    for (const [said, seconds] of [
      ["7", 7],
      ["86400", 86_400],
      ["99999", 86_400],
    ] as const)
      expect(await errorOf("rate_limited", undefined, { "Retry-After": said })).toMatchObject({
        retryAfterMs: seconds * 1_000,
      });
  });

  test.each([
    [502, "<html>"],
    [503, { error: "out_of_stock", message: "Under another status." }],
    [418, { error: "teapot", message: "No code of the contract." }],
    [409, { error: "out_of_stock" }],
    [500, ""],
    [204, null],
  ])("that is not the contract's is told as such: %s %j", async (status, body) => {
    const text = typeof body === "object" && body !== null ? JSON.stringify(body) : body;
    const { client } = clientOf(() => new Response(text, { status, headers: { "Content-Length": "" } }));
    expect(await client.getBalance()).toMatchObject({ error: { error: "unreadable_answer", status } });
  });
});

describe("what gets no answer is thrown", () => {
  test("when the connection fails, with the request's id", async () => {
    const { client, requests } = clientOf(() => Promise.reject(new TypeError("fetch failed")));
    const error = await client.getBalance().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({
      reason: "connection",
      requestId: requests[0]?.headers.get("X-Request-Id"),
    });
  });

  test("when it cannot be read", async () => {
    const { client } = clientOf(() => new Response("<html>"));
    await expect(client.getBalance()).rejects.toMatchObject({ reason: "unreadable" });
  });

  const never = ({ signal }: Request) =>
    new Promise<Response>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

  test("when it takes too long", async () => {
    const { client } = clientOf(never);
    await expect(client.getBalance({ timeoutMs: 20 })).rejects.toMatchObject({ reason: "timeout" });
  });

  test("when the caller breaks it off, as the caller's own reason", async () => {
    const { client } = clientOf(never);
    const controller = new AbortController();
    const asked = client.getBalance({ signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });
});

test("an answer that cannot be read is not shown by its error", async () => {
  const { client } = clientOf(() => new Response("{CODE-1"));
  const error = await client.getBalance().catch((error: unknown) => error);
  expect(inspect(error, { depth: null })).not.toContain("CODE-1");
});

test.each([
  { baseUrl: "shop.example" },
  { baseUrl: "ftp://shop.example" },
  { baseUrl: "https://user:word@shop.example" },
  { baseUrl: "https://shop.example/?a=1" },
  { apiKey: "" },
  { apiKey: "svc_sk_secret\n" },
])("a client is not made of %j, and does not repeat it", (options) => {
  const create = () =>
    createOrderingClient({ baseUrl: "https://shop.example", apiKey: "svc_sk_a", ...options });
  expect(create).toThrow(RangeError);
  expect(create).not.toThrow(/secret|word/);
});

test("a base URL is the same however it is written", () => {
  const { baseUrl } = createOrderingClient({
    baseUrl: "HTTPS://Shop.example:443/shop/v1/",
    apiKey: "svc_sk_a",
  });
  expect(baseUrl).toBe("https://shop.example/shop/v1");
});

test("what does not fit the contract does not compile", () => {
  const { client } = clientOf(() => json(200, {}));
  // @ts-expect-error a required field is missing
  () => client.createOrder({ externalOrderId: "a", productId: "b" });
  // @ts-expect-error there is no such field
  () => client.createOrder({ ...order, quantity: 2 });
  // @ts-expect-error a price is a text
  () => client.createOrder({ ...order, expectedUnitPrice: 1.1 });
  // @ts-expect-error there is no such filter
  () => client.listOrders({ status: "delivered" });
  const react = (error: OrderingError) => {
    if (error.error === "price_changed") expectTypeOf(error.details).toEqualTypeOf<PriceChange | null>();
    if (error.error === "rate_limited") expectTypeOf(error.status).toEqualTypeOf<429>();
    // @ts-expect-error there is no such code
    return error.error === "price_change";
  };
  expectTypeOf(react).returns.toEqualTypeOf<boolean>();
  type Answer = Awaited<ReturnType<typeof client.createOrder>>;
  const read = (answer: Answer) => {
    // @ts-expect-error whether there is data has to be looked at first
    answer.data.codes;
    if (answer.error === undefined) expectTypeOf(answer.data.codes).toEqualTypeOf<string[]>();
  };
  expectTypeOf(read).toBeFunction();
});
