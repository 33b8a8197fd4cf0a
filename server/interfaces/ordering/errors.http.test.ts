import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newSecret } from "../../keys/secret.ts";
import { formatDecimalMoney, multiply } from "../../money/microcents.ts";
import { limitsOf } from "../../testing/documented-limits.ts";
import { type FixedClock, fixedClock } from "../../testing/fixed-clock.ts";
import type { Answer } from "../../testing/request-shop.ts";
import { startTestShop, type TestShop, usd, withNewBuyer } from "../../testing/test-shop.ts";
import { readDocument } from "../read-document.ts";

const PAGE = limitsOf("ordering", "Limit");
const QTY = limitsOf("ordering", "Quantity");
const NOON = "2026-03-01T12:00:00Z";

let time: FixedClock;
let service: TestShop;
let shop: TestShop;
beforeAll(async () => {
  time = fixedClock(NOON);
  service = await startTestShop(time.clock);
});
beforeEach(async () => {
  time.set(NOON);
  shop = await withNewBuyer(service);
});
// Ends with the audit.
afterAll(() => service.stop());

function order(fields: Record<string, unknown> = {}) {
  return { externalOrderId: randomUUID(), productId: shop.productId, qty: 1, ...fields };
}

function buy(fields: Record<string, unknown> = {}, key = shop.orderingKey): Promise<Answer> {
  return shop.call("/orders", { key, body: order(fields) });
}

async function ordersOf(): Promise<number> {
  return (await shop.call("/orders")).body.orders.length;
}

describe("400 invalid_input", () => {
  test.each([
    ["an empty externalOrderId", { externalOrderId: "" }],
    ["65 characters of externalOrderId", { externalOrderId: "x".repeat(65) }],
    ["an externalOrderId that is a number", { externalOrderId: 1 }],
    ["an externalOrderId of null", { externalOrderId: null }],
    ["an empty productId", { productId: "" }],
    ["129 characters of productId", { productId: "x".repeat(129) }],
    ["qty 0", { qty: 0 }],
    [`qty ${QTY.maximum + 1}`, { qty: QTY.maximum + 1 }],
    ["qty -1", { qty: -1 }],
    ["qty 1.5", { qty: 1.5 }],
    ['qty "1"', { qty: "1" }],
    ["qty 1e300", { qty: 1e300 }],
    ["no qty", { qty: undefined }],
    ["three decimals of expectedUnitPrice", { expectedUnitPrice: "1.000" }],
    ["a signed expectedUnitPrice", { expectedUnitPrice: "-1.00" }],
    ["an expectedUnitPrice with a comma", { expectedUnitPrice: "1,00" }],
    ["an expectedUnitPrice that is a number", { expectedUnitPrice: 1 }],
    ["an empty expectedUnitPrice", { expectedUnitPrice: "" }],
    ["an unknown field", { quantity: 1 }],
  ])("%s", async (_name, fields) => {
    expect(await buy(fields)).toMatchObject({ status: 400, body: { error: "invalid_input" } });
    expect(await ordersOf()).toBe(0);
  });

  test.each([
    "0",
    String(QTY.maximum + 1),
    "-1",
    "1.5",
    "x",
    "",
    "1&qty=2",
    "0x10",
    "1e1",
    "01",
    "1.0",
    "%201",
    "9".repeat(400),
  ])("availability for qty=%s", async (qty) => {
    const answer = await shop.call(`/products/${shop.productId}/availability?qty=${qty}`);
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_input" } });
  });

  test("availability for an id of 129 characters", async () => {
    const answer = await shop.call(`/products/${"x".repeat(129)}/availability`);
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_input" } });
  });

  test.each([
    "limit=0",
    `limit=${PAGE.maximum + 1}`,
    "limit=x",
    "limit=1.5",
    "limit=",
    "cursor=",
    "cursor=nonsense",
    "cursor=AAAAAAAAAAAAAAAAAAAAAA",
    "cursor=%00",
    "externalOrderId=",
    `externalOrderId=${"x".repeat(65)}`,
    "limit=5&limit=6",
  ])("a list of orders with %s", async (query) => {
    expect(await shop.call(`/orders?${query}`)).toMatchObject({
      status: 400,
      body: { error: "invalid_input" },
    });
  });

  test("another account's cursor", async () => {
    await buy();
    await buy();
    const { nextCursor } = (await shop.call("/orders?limit=1")).body;
    const { key } = await shop.addKey(await shop.addAccount());
    expect(await shop.call(`/orders?limit=1&cursor=${nextCursor}`)).toMatchObject({ status: 200 });
    expect(await shop.call(`/orders?limit=1&cursor=${nextCursor}`, { key })).toMatchObject({
      status: 400,
      body: { error: "invalid_input" },
    });
  });
});

describe("limits are kept at their edge", () => {
  test.each([
    ["one character of externalOrderId", { externalOrderId: "x" }],
    ["64 characters of externalOrderId", { externalOrderId: "x".repeat(64) }],
    ["64 characters outside of the basic plane", { externalOrderId: "😀".repeat(64) }],
    ["an expectedUnitPrice without decimals", { expectedUnitPrice: "1" }],
    ["an expectedUnitPrice with leading zeros", { expectedUnitPrice: "0001.0" }],
  ])("%s is accepted", async (_name, fields) => {
    expect(await buy(fields)).toMatchObject({ status: 200 });
  });

  test("an id may hold whatever a URL may", async () => {
    for (const externalOrderId of ["a:b/c@d", "a+b&c=d?e", "ä ö", "%41", "#1", "[1]", "a,b;c"]) {
      await buy({ externalOrderId });
      const found = await shop.call(`/orders?externalOrderId=${encodeURIComponent(externalOrderId)}`);
      expect(found.body.orders).toMatchObject([{ externalOrderId }]);
    }
    expect((await shop.call("/orders?externalOrderId=a:b/c@d")).body.orders).toHaveLength(1);
  });

  test(`${QTY.maximum} codes are bought at once, and one more are not`, async () => {
    const { productId, codes } = await shop.addProduct({ price: "0.05", codes: QTY.maximum });
    expect(await buy({ productId, qty: QTY.maximum + 1 })).toMatchObject({ status: 400 });
    const bought = await buy({ productId, qty: QTY.maximum });
    expect(bought.body.codes).toEqual(codes);
    expect(bought.body.amount).toBe(formatDecimalMoney(multiply(usd("0.05"), QTY.maximum)));
  });

  test("availability takes 1 and the most, and the default when nothing is said", async () => {
    const path = `/products/${shop.productId}/availability`;
    expect((await shop.call(path)).body).toMatchObject({ qty: QTY.default, available: true });
    expect((await shop.call(`${path}?qty=1`)).body).toMatchObject({ qty: 1 });
    expect((await shop.call(`${path}?qty=10`)).body).toMatchObject({ available: true });
    expect((await shop.call(`${path}?qty=${QTY.maximum}`)).body).toMatchObject({
      available: false,
      availabilityStatus: "out_of_stock",
    });
  });

  test(`a page has ${PAGE.minimum} to ${PAGE.maximum} orders, and ${PAGE.default} when nothing is said`, async () => {
    const { productId } = await shop.addProduct({ price: "0.01", codes: PAGE.maximum + 1 });
    for (let count = 0; count <= PAGE.maximum; count += 1) await buy({ productId });
    const pageOf = async (query: string) => (await shop.call(`/orders${query}`)).body.orders;
    for (const limit of [PAGE.minimum, PAGE.maximum])
      expect(await pageOf(`?limit=${limit}`)).toHaveLength(limit);
    expect(await pageOf("")).toHaveLength(PAGE.default);
  });
});

describe("401 unauthorized", () => {
  test.each([
    ["no key", {}],
    ["an empty key", { Authorization: "Bearer " }],
    ["another scheme", { Authorization: "Basic abc" }],
    ["two keys", { Authorization: "Bearer a b" }],
    ["a well-formed key that is not known", { Authorization: `Bearer ${newSecret("svc_sk_")}` }],
    ["a key of another service", { Authorization: `Bearer ${newSecret("other_")}` }],
    ["a key in another header", { "X-Api-Key": "svc_sk_x" }],
  ])("%s", async (_name, headers) => {
    for (const path of [
      "/products",
      "/balance",
      "/orders",
      "/orders/x",
      `/products/${shop.productId}/availability`,
    ]) {
      const answer = await shop.call(path, { key: null, headers: headers as Record<string, string> });
      expect(answer).toMatchObject({ status: 401, body: { error: "unauthorized" } });
    }
  });

  test("a valid key that is not written as one", async () => {
    const { orderingKey: key } = shop;
    expect(await shop.call("/balance", { key })).toMatchObject({ status: 200 });
    for (const Authorization of [
      `Bearer ${key} x`,
      `Bearer ${key},`,
      `Bearer ${key}x`,
      key,
      `Basic ${key}`,
    ]) {
      const answer = await shop.call("/balance", { key: null, headers: { Authorization } });
      expect(answer, Authorization.replace(key, "KEY")).toMatchObject({ status: 401 });
    }
  });

  test("a revoked key within a second", async () => {
    const { keyId, key } = await shop.addKey(shop.accountId);
    expect(await shop.call("/balance", { key })).toMatchObject({ status: 200 });
    await shop.keys.revoke(keyId);
    await expect.poll(async () => (await shop.call("/balance", { key })).status).toBe(401);
  });

  test("a suspended account within a second, until it is resumed", async () => {
    expect(await shop.call("/balance")).toMatchObject({ status: 200 });
    await shop.accounts.suspend(shop.accountId);
    const status = async () => (await shop.call("/balance")).status;
    await expect.poll(status).toBe(401);
    await shop.accounts.resume(shop.accountId);
    await expect.poll(status).toBe(200);
  });
});

describe("402", () => {
  test("insufficient_balance; after a top-up the same id is bought", async () => {
    const { productId } = await shop.addProduct({ price: "30.00" });
    const body = order({ productId, qty: 4 });
    expect(await shop.call("/orders", { body })).toMatchObject({
      status: 402,
      body: { error: "insufficient_balance" },
    });
    expect(await ordersOf()).toBe(0);
    await shop.ledger.topUp({ accountId: shop.accountId, amountMicrocents: usd("20"), reference: "more" });
    expect(await shop.call("/orders", { body })).toMatchObject({
      status: 200,
      body: { amount: "120.00", reused: false },
    });
    expect((await shop.call("/balance")).body.balance).toBe("0.00");
  });

  test("key_daily_limit_exceeded; after UTC midnight the same id is bought", async () => {
    const { keyId, key } = await shop.addKey(shop.accountId, "product_ordering", {
      dailyCapMicrocents: usd("3.00"),
    });
    time.set("2026-03-01T23:59:59Z");
    expect(await buy({ qty: 3 }, key)).toMatchObject({ status: 200 });
    const body = order();
    const refused = await shop.call("/orders", { key, body });
    expect(refused).toMatchObject({ status: 402, body: { error: "key_daily_limit_exceeded" } });
    time.set("2026-03-02T00:00:00Z");
    expect(await shop.call("/orders", { key, body })).toMatchObject({ status: 200 });
    await shop.keys.change(keyId, { dailyCapMicrocents: usd("10.00") });
    await expect.poll(async () => (await buy({ qty: 6 }, key)).status).toBe(200);
  });
});

describe("403", () => {
  test("insufficient_scope: a general key reads the catalog and nothing of orders", async () => {
    const key = shop.generalKey;
    expect(await shop.call("/products", { key })).toMatchObject({ status: 200 });
    expect(await shop.call("/balance", { key })).toMatchObject({ status: 200 });
    for (const answer of [
      await buy({}, key),
      await shop.call("/orders", { key }),
      await shop.call("/orders/x", { key }),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
    }
  });

  test("insufficient_scope: a key for the AI proxy alone reads nothing here but the public prices", async () => {
    const { key } = await shop.addKey(shop.accountId, "ai_proxy");
    const availability = `/products/${shop.productId}/availability`;
    for (const path of ["/products", availability, "/balance", "/orders", "/orders/x"]) {
      const refused = await shop.call(path, { key });
      expect(refused).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
    }
    expect(await buy({}, key)).toMatchObject({ status: 403, body: { error: "insufficient_scope" } });
    expect(await shop.call("/pricing", { key })).toMatchObject({ status: 200 });
  });

  test("key_order_limit_exceeded above the cap, not at it", async () => {
    const { key } = await shop.addKey(shop.accountId, "product_ordering", {
      orderCapMicrocents: usd("2.00"),
    });
    expect(await buy({ qty: 2 }, key)).toMatchObject({ status: 200 });
    const refused = await buy({ qty: 3 }, key);
    expect(refused).toMatchObject({ status: 403, body: { error: "key_order_limit_exceeded" } });
  });
});

describe("404 not_found", () => {
  test("an unknown, disabled or unpriced product", async () => {
    const { productId } = await shop.addProduct();
    await shop.products.setEnabled(productId, false);
    const unpriced = await shop.addProduct();
    await shop.products.setPrices(unpriced.productId, { 2: null });
    for (const id of ["unknown", "täst", " ", productId, unpriced.productId]) {
      expect(await buy({ productId: id })).toMatchObject({ status: 404, body: { error: "not_found" } });
      const path = `/products/${encodeURIComponent(id)}/availability`;
      expect(await shop.call(path)).toMatchObject({ status: 404, body: { error: "not_found" } });
    }
    const listed = (await shop.call("/products")).body.products.map(({ id }: { id: string }) => id);
    expect(listed).toContain(shop.productId);
    expect(listed).not.toContain(productId);
    expect(listed).not.toContain(unpriced.productId);
  });

  test("another account's order is the same answer as none", async () => {
    const { orderId } = (await buy()).body;
    const { key } = await shop.addKey(await shop.addAccount());
    const foreign = await shop.call(`/orders/${orderId}`, { key });
    const unknown = await shop.call(
      `/orders/${orderId.replace(/.$/, (digit: string) => (digit === "0" ? "1" : "0"))}`,
    );
    expect(foreign).toMatchObject({ status: 404, body: { error: "not_found" } });
    expect(unknown.status).toBe(foreign.status);
    const shape = ({ body }: Answer, id: string) => JSON.stringify(body).replaceAll(id, "ID");
    expect(shape(foreign, orderId)).toBe(shape(unknown, unknown.body.details.order));
    for (const id of ["x", "ord_", `${orderId} `, orderId.toUpperCase(), "ord_😀"]) {
      expect(await shop.call(`/orders/${encodeURIComponent(id)}`)).toMatchObject({ status: 404 });
    }
  });
});

describe("409", () => {
  test("price_changed says both prices and sells nothing", async () => {
    const answer = await buy({ expectedUnitPrice: "0.99" });
    expect(answer).toMatchObject({
      status: 409,
      body: { error: "price_changed", details: { expectedUnitPrice: "0.99", actualUnitPrice: "1.00" } },
    });
    expect(await buy({ expectedUnitPrice: "9".repeat(300) })).toMatchObject({ status: 409 });
    expect(await ordersOf()).toBe(0);
  });

  test("idempotency_conflict for another product or quantity", async () => {
    const other = await shop.addProduct();
    const body = order();
    await shop.call("/orders", { body });
    for (const change of [{ qty: 2 }, { productId: other.productId }, { productId: "unknown" }]) {
      const answer = await shop.call("/orders", { body: { ...body, ...change } });
      expect(answer).toMatchObject({ status: 409, body: { error: "idempotency_conflict" } });
    }
  });

  test("idempotency_conflict for a refunded order, which shows no codes any more", async () => {
    const body = order();
    const { orderId } = (await shop.call("/orders", { body })).body;
    await shop.orderAdministration.refund(orderId, "wrong product");
    expect(await shop.call("/orders", { body })).toMatchObject({
      status: 409,
      body: { error: "idempotency_conflict", details: { orderId, status: "refunded", errorCode: null } },
    });
    expect((await shop.call(`/orders/${orderId}`)).body).toMatchObject({ status: "refunded", codes: [] });
    expect((await shop.call("/balance")).body.balance).toBe("100.00");
  });

  test("out_of_stock; the same id is bought when there is stock again", async () => {
    const body = order({ qty: 11 });
    expect(await shop.call("/orders", { body })).toMatchObject({
      status: 409,
      body: { error: "out_of_stock" },
    });
    expect(await buy({ qty: 10 })).toMatchObject({ status: 200 });
    const { productId } = await shop.addProduct({ codes: 0 });
    expect(await buy({ productId })).toMatchObject({ status: 409, body: { error: "out_of_stock" } });
  });
});

describe("429 rate_limited", () => {
  test("counts all keys of an account together, and no other account", async () => {
    const { accountId } = await shop.accounts.create({ name: "Slow", rpmLimit: 3 });
    const [one, two] = [await shop.addKey(accountId), await shop.addKey(accountId, "general")];
    for (const { key } of [one, two, one]) expect((await shop.call("/balance", { key })).status).toBe(200);
    for (const { key } of [one, two]) {
      const answer = await shop.call("/orders", { key });
      expect(answer).toMatchObject({ status: 429, body: { error: "rate_limited" } });
      expect(answer.headers.get("retry-after")).toMatch(/^([1-9]|[1-5]\d|60)$/);
    }
    expect((await shop.call("/balance")).status).toBe(200);
    expect((await shop.call("/pricing", { key: one.key })).status).toBe(200);
  });
});

describe("the order of checks", () => {
  test("a delivered order is replayed whatever has changed since", async () => {
    const { keyId, key } = await shop.addKey(shop.accountId);
    const body = order({ qty: 10, expectedUnitPrice: "1.00" });
    const first = await shop.call("/orders", { key, body });
    await shop.products.setPrices(shop.productId, { 1: usd("7.00"), 2: usd("7.00") });
    await shop.products.setEnabled(shop.productId, false);
    await shop.keys.change(keyId, { orderCapMicrocents: usd("0.01"), dailyCapMicrocents: usd("0.01") });
    await shop.ledger.adjust({
      accountId: shop.accountId,
      amountMicrocents: usd("90"),
      reference: "a",
      note: "n",
    });
    const again = await shop.call("/orders", { key, body: { ...body, expectedUnitPrice: "3.33" } });
    expect(again.body).toEqual({ ...first.body, reused: true });
    expect(await shop.call("/orders", { key, body: order({ qty: 10 }) })).toMatchObject({ status: 404 });
  });

  test("key, rate, scope, form, the order of that id; 404, then price, single-order cap, stock, daily cap, balance", async () => {
    const delivered = order();
    await shop.call("/orders", { body: delivered });
    const wrong = { ...delivered, productId: "unknown", qty: 0 };
    const busy = await shop.accounts.create({ name: "Busy", rpmLimit: 1 });
    const { key: busyKey } = await shop.addKey(busy.accountId, "general");
    await shop.call("/balance", { key: busyKey });
    const refusal = async (key: string) => (await shop.call("/orders", { key, body: wrong })).body.error;
    expect(await refusal("svc_sk_unknown")).toBe("unauthorized");
    expect(await refusal(busyKey)).toBe("rate_limited");
    expect(await refusal(shop.generalKey)).toBe("insufficient_scope");
    expect(await refusal(shop.orderingKey)).toBe("invalid_input");
    expect((await shop.call("/orders", { body: { ...wrong, qty: 1 } })).body.error).toBe(
      "idempotency_conflict",
    );
    const caps = { orderCapMicrocents: usd("0.50"), dailyCapMicrocents: usd("0.10") };
    const { keyId, key } = await shop.addKey(await shop.addAccount("0"), "product_ordering", caps);
    const { productId } = await shop.addProduct({ codes: 0 });
    const outcome = async (fields: Record<string, unknown>) => (await buy(fields, key)).body.error;
    expect(await outcome({ productId: "unknown", expectedUnitPrice: "2.00" })).toBe("not_found");
    expect(await outcome({ productId, expectedUnitPrice: "2.00" })).toBe("price_changed");
    expect(await outcome({ productId })).toBe("key_order_limit_exceeded");
    await shop.keys.change(keyId, { orderCapMicrocents: null });
    await expect.poll(() => outcome({ productId })).toBe("out_of_stock");
    expect(await outcome({})).toBe("key_daily_limit_exceeded");
    await shop.keys.change(keyId, { dailyCapMicrocents: null });
    await expect.poll(() => outcome({})).toBe("insufficient_balance");
    expect(documentedOrder()).toEqual([
      ...["unauthorized", "rate_limited", "insufficient_scope", "bad_request", "invalid_input"],
      ...["not_found", "price_changed", "key_order_limit_exceeded"],
      ...["out_of_stock", "key_daily_limit_exceeded", "insufficient_balance"],
    ]);
  });

  /** The refusals of an order that is sold from stock, in the order that the document gives. */
  function documentedOrder(): string[] {
    const { description = "" } = readDocument("ordering").paths?.["/orders"]?.post ?? {};
    const [, order = ""] =
      /The first fault in this order decides the answer: (.*?)\. /s.exec(description) ?? [];
    return [...order.replaceAll(/\([^)]*\)/g, "").matchAll(/\b(?:4\d\d|or)\s`(\w+)`/g)].map(
      ([, code = ""]) => code,
    );
  }
});
