import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ERROR_CODES } from "../server/simulators/supplier/answer.ts";
import {
  type SupplierSimulator,
  startSupplierSimulator,
} from "../server/simulators/supplier/supplier-simulator.ts";
import { limitsOf } from "../server/testing/documented-limits.ts";
import type { Answer } from "../server/testing/request-shop.ts";
import { createTestBuyer, type TestBuyer } from "../server/testing/test-buyer.ts";
import { openContract } from "./contract.ts";

const contract = openContract("ordering");
const QTY = limitsOf("ordering", "Quantity");
let simulator: SupplierSimulator;
let buyer: TestBuyer;

beforeEach(async () => {
  simulator = await startSupplierSimulator({
    products: [
      { productId: "pen", unitPrice: "1.00" },
      { productId: "few", name: "A few", unitPrice: "12.5", stock: 3, redeemUrl: null },
    ],
  });
  buyer = createTestBuyer(simulator.url, simulator.apiKey);
});
afterEach(() => simulator.close());

/** Holds an answer against the contract and gives it back. */
async function judged(operationId: string, calling: Promise<Answer>): Promise<Answer> {
  const answer = await calling;
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`The contract has no ${operationId}.`);
  const { status, headers, text } = answer;
  const told = { status, headers: Object.fromEntries(headers), body: text };
  expect(contract.faultsOf(operation, told)).toEqual([]);
  return answer;
}

const post = (body: unknown, options = {}) =>
  judged("createOrder", buyer.call("/orders", { body, ...options }));
const buy = (id: string, order = {}) => judged("createOrder", buyer.buy(id, order));

describe("the contract", () => {
  test("the catalog", async () => {
    expect((await judged("getPricing", buyer.call("/pricing", { key: null }))).body.products).toHaveLength(2);
    const { products } = (await judged("listProducts", buyer.call("/products"))).body;
    expect(products).toMatchObject([
      { id: "pen", name: "pen", price: "1.00", inStock: true, stockMode: "on_demand", stock: null },
      { id: "few", name: "A few", price: "12.50", inStock: true, stockMode: "inventory", stock: 3 },
    ]);
    const available = (path: string) => judged("checkAvailability", buyer.call(`/products/${path}`));
    expect((await available("few/availability?qty=3")).body).toMatchObject({ available: true, qty: 3 });
    expect((await available("few/availability?qty=4")).body).toMatchObject({
      available: false,
      availabilityStatus: "out_of_stock",
    });
    expect((await available("pen/availability")).body).toMatchObject({ qty: 1, unitPrice: "1.00" });
    expect(await available("none/availability")).toMatchObject({ status: 404, body: { error: "not_found" } });
    const longest = "x".repeat(128);
    expect(await available(`${longest}/availability`)).toMatchObject({ status: 404 });
    for (const qty of ["0", QTY.maximum + 1, "1e1"]) {
      const wrong = `pen/availability?qty=${qty}`;
      expect(await available(wrong)).toMatchObject({ status: 400, body: { error: "invalid_input" } });
    }
    for (const wrong of [`${longest}x/availability`, "%ff/availability", "pen/availability?page=1"]) {
      expect(await available(wrong)).toMatchObject({ status: 400, body: { error: "invalid_input" } });
    }
  });

  test("an order, its replay, its look-ups", async () => {
    const first = await buy("a", { qty: 2, expectedUnitPrice: "1.0" });
    expect(first).toMatchObject({
      status: 200,
      body: { status: "delivered", unitPrice: "1.00", amount: "2.00", reused: false },
    });
    expect(new Set(first.body.codes).size).toBe(2);
    simulator.setPrice("pen", "9.00");
    simulator.setStock("pen", 0);
    expect((await buy("a", { qty: 2, expectedUnitPrice: "1.00" })).body).toEqual({
      ...first.body,
      reused: true,
    });
    const { body: list } = await judged("listOrders", buyer.call("/orders?externalOrderId=a"));
    expect(list).toEqual({ orders: [{ ...first.body, codes: [] }], hasMore: false, nextCursor: null });
    const shown = await judged("getOrder", buyer.call(`/orders/${first.body.orderId}`));
    expect(shown.body).toEqual(first.body);
  });

  test("lists go from the newest to the oldest in pages", async () => {
    for (let index = 0; index < 7; index += 1) await buy(`o-${index}`);
    const ids: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = await judged("listOrders", buyer.call(`/orders?limit=3${query}`));
      ids.push(...page.body.orders.map((order: { externalOrderId: string }) => order.externalOrderId));
      cursor = page.body.nextCursor;
    }
    expect(ids).toEqual(["o-6", "o-5", "o-4", "o-3", "o-2", "o-1", "o-0"]);
    expect((await judged("listOrders", buyer.call("/orders?externalOrderId=none"))).body.orders).toEqual([]);
    for (const wrong of [
      "limit=0",
      `limit=${limitsOf("ordering", "Limit").maximum + 1}`,
      "cursor=",
      "cursor=bm9uZQ",
      "x=1",
      "externalOrderId=",
      "limit=1&limit=1",
    ]) {
      const answer = await judged("listOrders", buyer.call(`/orders?${wrong}`));
      expect(answer).toMatchObject({ status: 400, body: { error: "invalid_input" } });
    }
  });

  test("refusals leave no order", async () => {
    expect(await buy("a", { productId: "none" })).toMatchObject({ status: 404 });
    expect(await buy("a", { expectedUnitPrice: "1.01" })).toMatchObject({
      status: 409,
      body: { error: "price_changed", details: { expectedUnitPrice: "1.01", actualUnitPrice: "1.00" } },
    });
    expect(await buy("a", { productId: "few", qty: 4 })).toMatchObject({
      status: 409,
      body: { error: "out_of_stock" },
    });
    simulator.setBalance("0.99");
    expect(await buy("a")).toMatchObject({ status: 402, body: { error: "insufficient_balance" } });
    expect((await buyer.call("/orders")).body.orders).toEqual([]);
    simulator.setBalance("1.00");
    expect(await buy("a")).toMatchObject({ status: 200 });
    expect((await judged("getBalance", buyer.call("/balance"))).body).toMatchObject({ available: "0.00" });
    expect(simulator.purchases().get("a")).toMatchObject({ status: "delivered", requests: 5 });
  });

  test("conflicts: another product or quantity, a refunded order", async () => {
    const { orderId } = (await buy("a")).body;
    for (const other of [{ qty: 2 }, { productId: "few" }, { productId: "none" }]) {
      expect(await buy("a", other)).toMatchObject({ status: 409, body: { error: "idempotency_conflict" } });
    }
    simulator.refund("a");
    expect(await buy("a")).toMatchObject({
      status: 409,
      body: { error: "idempotency_conflict", details: { orderId, status: "refunded", errorCode: null } },
    });
    const shown = await judged("getOrder", buyer.call(`/orders/${orderId}`));
    expect(shown.body).toMatchObject({ status: "refunded", codes: [] });
    expect(() => simulator.refund("a")).toThrow("no delivered order");
  });

  test("a wrong key", async () => {
    for (const key of [null, "svc_sk_other", `${simulator.apiKey}x`]) {
      const calls = [
        judged("listProducts", buyer.call("/products", { key })),
        judged("checkAvailability", buyer.call("/products/pen/availability", { key })),
        judged("getBalance", buyer.call("/balance", { key })),
        judged("listOrders", buyer.call("/orders", { key })),
        judged("getOrder", buyer.call("/orders/x", { key })),
        post("{", { key }),
      ];
      for (const answer of await Promise.all(calls)) {
        expect(answer).toMatchObject({ status: 401, body: { error: "unauthorized" } });
      }
    }
  });

  test.each([
    ["no JSON", "qty=1", "bad_request"],
    ["half of an object", '{"externalOrderId":"o', "bad_request"],
    ["an array", "[]", "bad_request"],
    ["null", "null", "bad_request"],
    ["65 KiB", JSON.stringify({ externalOrderId: "x".repeat(65 * 1024) }), "bad_request"],
    ["nothing in it", {}, "invalid_input"],
    ["another field", { externalOrderId: "a", productId: "pen", qty: 1, note: "" }, "invalid_input"],
    [
      "an id of 65 characters",
      { externalOrderId: "a".repeat(65), productId: "pen", qty: 1 },
      "invalid_input",
    ],
    ["an empty id", { externalOrderId: "", productId: "pen", qty: 1 }, "invalid_input"],
    ["a NUL", { externalOrderId: "\0", productId: "pen", qty: 1 }, "invalid_input"],
    ["half a character", '{"externalOrderId":"\\ud800","productId":"pen","qty":1}', "invalid_input"],
    ["no quantity", { externalOrderId: "a", productId: "pen", qty: 0 }, "invalid_input"],
    [
      "too large a quantity",
      { externalOrderId: "a", productId: "pen", qty: QTY.maximum + 1 },
      "invalid_input",
    ],
    ["a fraction", { externalOrderId: "a", productId: "pen", qty: 1.5 }, "invalid_input"],
    ["a text as a quantity", { externalOrderId: "a", productId: "pen", qty: "1" }, "invalid_input"],
    [
      "three decimals",
      { externalOrderId: "a", productId: "pen", qty: 1, expectedUnitPrice: "1.000" },
      "invalid_input",
    ],
    [
      "a number as a price",
      { externalOrderId: "a", productId: "pen", qty: 1, expectedUnitPrice: 1 },
      "invalid_input",
    ],
  ])("a body with %s is refused", async (_name, body, error) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { error } });
  });

  test("an id may have 64 characters of whatever size; another media type is refused", async () => {
    expect(await buy("😀".repeat(64))).toMatchObject({ status: 200 });
    const headers = { "Content-Type": "text/plain" };
    expect(await post({}, { headers })).toMatchObject({ status: 400, body: { error: "bad_request" } });
    const utf8 = { "Content-Type": "application/json; charset=UTF-8" };
    expect(await post({}, { headers: utf8 })).toMatchObject({
      status: 400,
      body: { error: "invalid_input" },
    });
  });

  test("unknown paths, other methods, request ids", async () => {
    for (const path of ["/nothing", "/orders/", "/ORDERS", "/products/pen", ""]) {
      expect(await buyer.call(path)).toMatchObject({ status: 404, body: { error: "not_found" } });
    }
    const answer = await buyer.call("/orders", { method: "DELETE", headers: { "X-Request-Id": "mine-1" } });
    expect(answer).toMatchObject({ status: 405, body: { error: "bad_request" } });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      allow: "POST, GET",
      "x-request-id": "mine-1",
    });
    for (const id of ["none", "sim_00000000_0", "%ff"]) {
      expect(await judged("getOrder", buyer.call(`/orders/${id}`))).toMatchObject({ status: 404 });
    }
  });

  test.each(ERROR_CODES)("refuse with %s is an answer of the contract, without effect", async (code) => {
    simulator.nextPurchases({ kind: "refuse", code, retryAfterSeconds: 7 });
    const refused = await buy("a", { expectedUnitPrice: "1.00" });
    expect(refused.body.error).toBe(code);
    if (code === "rate_limited" || code === "order_in_progress")
      expect(refused.headers.get("retry-after")).toBe("7");
    if (code === "order_in_progress") expect(refused.body.details).toEqual({ retryAfterSeconds: 7 });
    if (code === "price_changed")
      expect(refused.body.details).toEqual({ expectedUnitPrice: "1.00", actualUnitPrice: "1.01" });
    expect(simulator.purchases().get("a")).toMatchObject({ status: "none", requests: 1 });
    expect(await buy("a")).toMatchObject({ status: 200, body: { reused: false } });
  });
});

test("of 50 posts of one id at once one buys and all have the same codes", async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => buy("a", { productId: "few", qty: 3 })));
  expect(answers.filter(({ body }) => !body.reused)).toHaveLength(1);
  expect(new Set(answers.map(({ body }) => body.codes.join())).size).toBe(1);
  expect(simulator.purchases().get("a")).toMatchObject({
    amountMicrocents: 3_750_000_000n,
    unitPriceMicrocents: 1_250_000_000n,
    requests: 50,
    deliveredCodes: answers[0]?.body.codes,
  });
});

test("no code is sold twice, and a seed makes the same ones", async () => {
  const codes = async (seed: number) => {
    const other = await startSupplierSimulator({ seed, products: [{ productId: "pen", unitPrice: "1.00" }] });
    const seeded = createTestBuyer(other.url, other.apiKey);
    for (let index = 0; index < 3; index += 1) await seeded.buy(`o-${index}`, { qty: 1000 });
    await other.close();
    return [...other.purchases().values()].flatMap(({ deliveredCodes }) => deliveredCodes);
  };
  const [one, same, another] = [await codes(1), await codes(1), await codes(2)];
  expect(new Set([...one, ...another]).size).toBe(6000);
  expect(same).toEqual(one);
  expect(one[0]).toMatch(/^SIM(-[0-9A-Z]{4}){5}$/);
});

test("a purchase takes effect at once and is answered when it is ready", async () => {
  simulator.setLatency(200);
  const begunMs = performance.now();
  const answering = buy("a");
  await expect.poll(() => simulator.purchases().get("a")?.status).toBe("delivered");
  expect(await answering).toMatchObject({ status: 200 });
  expect(performance.now() - begunMs).toBeGreaterThan(190);
});

test("down cuts every connection, up serves the same port with the same orders", async () => {
  const { url } = simulator;
  const first = await buy("a");
  simulator.nextPurchases("hang_after");
  const hanging = buyer.outcomeOf("b");
  await expect.poll(() => simulator.purchases().get("b")?.status).toBe("delivered");
  await simulator.down();
  await simulator.down();
  expect(await hanging).toBe("cut");
  await expect(buyer.call("/products")).rejects.toThrow();
  await simulator.up();
  await simulator.up();
  expect(simulator.url).toBe(url);
  expect((await buy("a")).body).toEqual({ ...first.body, reused: true });
});

test("two thousand purchases hang at once and other buyers are served", async () => {
  simulator.setProductFault("few", "hang_before");
  const hanging = Array.from({ length: 2_000 }, (_, index) =>
    buyer.buy(`h-${index}`, { productId: "few" }).catch(() => "cut"),
  );
  await expect.poll(() => simulator.purchases().size).toBe(2_000);
  expect(await buy("a")).toMatchObject({ status: 200 });
  await simulator.down();
  expect(new Set(await Promise.all(hanging))).toEqual(new Set(["cut"]));
});
