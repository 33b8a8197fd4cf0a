import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { holdMemory } from "../../testing/held-time.ts";
import { startTestShop, type TestShop, usd } from "../../testing/test-shop.ts";
import { addOnDemandProduct } from "../../testing/test-supplier.ts";

type OnDemandProduct = Awaited<ReturnType<typeof addOnDemandProduct>>;

// What a supplier says is kept for five seconds, and one second that it says nothing.
const SELDOM = { interval: 100 };

let shop: TestShop;
let pen: OnDemandProduct;
const closing: OnDemandProduct[] = [];

beforeEach(async () => {
  shop = await startTestShop();
  pen = await addOnDemand();
});
afterEach(async () => {
  await shop.stop();
  for (const { simulator } of closing.splice(0)) await simulator.close();
});

async function addOnDemand(options: Parameters<typeof addOnDemandProduct>[1] = {}): Promise<OnDemandProduct> {
  const product = await addOnDemandProduct(shop, options);
  closing.push(product);
  return product;
}

/** Of the same supplier as the pen. */
const addAlike = (options: Parameters<typeof addOnDemandProduct>[1]) =>
  addOnDemand({ simulator: pen.simulator, supplierId: pen.supplierId, ...options });

const list = () => shop.call("/products");
const check = (productId: string, qty = 1) => shop.call(`/products/${productId}/availability?qty=${qty}`);

async function listed(productId: string) {
  const { status, body } = await list();
  expect(status).toBe(200);
  return body.products.find(({ id }: { id: string }) => id === productId);
}

async function expectNotConfigured(productId: string): Promise<void> {
  expect(await listed(productId)).toMatchObject({ inStock: false, availabilityStatus: "unavailable" });
  expect(await check(productId)).toMatchObject({ status: 503, body: { error: "supplier_not_configured" } });
  expect(await listed(shop.productId)).toMatchObject({ inStock: true, stock: 10 });
}

describe("an on-demand product", () => {
  test("is listed at the shop's own name and price, without a stock", async () => {
    pen.simulator.setProduct({ productId: pen.supplierProductId, name: "Theirs", unitPrice: "0.50" });
    expect(await listed(pen.productId)).toEqual({
      id: pen.productId,
      slug: null,
      name: `Product ${pen.productId}`,
      price: "1.00",
      currency: "USD",
      fulfillmentMode: "automatic",
      inStock: true,
      stockMode: "on_demand",
      stock: null,
      stockCapped: false,
      availabilityStatus: "available",
      deliveryMode: "instant",
    });
    expect(await listed(shop.productId)).toMatchObject({ stockMode: "inventory", stock: 10 });
  });

  test("is available in the quantities that its supplier has", async () => {
    pen.simulator.setStock(pen.supplierProductId, 5);
    expect(await check(pen.productId, 5)).toMatchObject({
      status: 200,
      body: { qty: 5, available: true, unitPrice: "1.00", availabilityStatus: "available" },
    });
    expect(await check(pen.productId, 6)).toMatchObject({
      status: 200,
      body: { qty: 6, available: false, stockMode: "on_demand", availabilityStatus: "out_of_stock" },
    });
    const none = await addAlike({ stock: 0 });
    expect(await listed(none.productId)).toMatchObject({
      inStock: false,
      stock: null,
      availabilityStatus: "out_of_stock",
    });
  });

  test.each([
    ["above the most that it may cost", "0.81"],
    ["of nothing", "0.00"],
    ["that is not whole cents", "0.5050"],
    ["too low to be true", "0.0079"],
  ])("is unavailable at a cost %s", async (_, cost) => {
    const product = await addAlike({ cost });
    expect(await listed(product.productId)).toMatchObject({
      inStock: false,
      availabilityStatus: "unavailable",
    });
    expect(await check(product.productId)).toMatchObject({
      status: 200,
      body: { available: false, unitPrice: "1.00", availabilityStatus: "unavailable" },
    });
  });

  test("is unavailable when its supplier does not sell it", async () => {
    await shop.products.setSupply(pen.productId, { supplierProductId: "unknown" });
    await expectNotConfigured(pen.productId);
  });

  test("that is not for sale is not asked after", async () => {
    pen.simulator.fault({ kind: "hang_before", operation: "listProducts", times: null });
    await shop.products.setEnabled(pen.productId, false);
    const dear = await addAlike({});
    await shop.products.setPrices(dear.productId, { 2: null });
    expect((await list()).body.products).toMatchObject([{ id: shop.productId }]);
    for (const { productId } of [pen, dear]) expect((await check(productId)).status).toBe(404);
  });

  test("has its prices published without asking anybody", async () => {
    pen.simulator.fault({ kind: "hang_before", operation: "listProducts", times: null });
    const { body } = await shop.call("/pricing", { key: null });
    expect(body.products).toContainEqual(
      expect.objectContaining({
        id: pen.productId,
        levelPrices: expect.objectContaining({ level1: "1.00" }),
      }),
    );
  });
});

describe("a supplier", () => {
  test("that is down takes only its own products away, until it is back", async () => {
    const other = await addOnDemand();
    await pen.simulator.down();
    expect(await check(pen.productId)).toMatchObject({
      status: 503,
      body: { error: "supplier_unavailable" },
    });
    expect(await listed(pen.productId)).toMatchObject({
      price: "1.00",
      inStock: false,
      stock: null,
      availabilityStatus: "supplier_unavailable",
    });
    expect(await listed(other.productId)).toMatchObject({ inStock: true });
    expect(await listed(shop.productId)).toMatchObject({ inStock: true, stock: 10 });
    await pen.simulator.up();
    await expect.poll(async () => (await listed(pen.productId)).availabilityStatus, SELDOM).toBe("available");
    await expect.poll(async () => (await check(pen.productId)).status, SELDOM).toBe(200);
  });

  test("that hangs holds the list up no longer than a read may take", async () => {
    pen.simulator.fault({ kind: "hang_before", operation: "listProducts", times: null });
    expect(await listed(pen.productId)).toMatchObject({ availabilityStatus: "supplier_unavailable" });
  });

  test("that answers nonsense is taken for one that does not answer", async () => {
    pen.simulator.fault({ kind: "garbage", operation: "listProducts", times: null });
    pen.simulator.fault({ kind: "garbage_shape", operation: "checkAvailability", times: null });
    expect(await listed(pen.productId)).toMatchObject({ availabilityStatus: "supplier_unavailable" });
    expect(await check(pen.productId)).toMatchObject({
      status: 503,
      body: { error: "supplier_unavailable" },
    });
  });

  test("that is disabled is not asked", async () => {
    await shop.suppliers.setStatus(pen.supplierId, "disabled");
    await expectNotConfigured(pen.productId);
  });

  test("that refuses our key has to be set up again", async () => {
    await shop.suppliers.setAccess(pen.supplierId, { apiKey: "wrong" });
    await expectNotConfigured(pen.productId);
  });

  test("that is gone has to be set up again", async () => {
    await shop.database.change("DELETE FROM suppliers WHERE supplier_id = ?", [pen.supplierId]);
    await expectNotConfigured(pen.productId);
  });

  test("fails the list when nothing else is for sale", async () => {
    await shop.products.setEnabled(shop.productId, false);
    await shop.suppliers.setStatus(pen.supplierId, "disabled");
    expect(await list()).toMatchObject({ status: 503, body: { error: "supplier_not_configured" } });
    const other = await addOnDemand();
    await other.simulator.down();
    expect(await list()).toMatchObject({ status: 503, body: { error: "supplier_unavailable" } });
    await other.simulator.up();
    await expect
      .poll(async () => (await list()).body.products, SELDOM)
      .toMatchObject([
        { id: expect.any(String), availabilityStatus: expect.any(String) },
        { id: expect.any(String), availabilityStatus: expect.any(String) },
      ]);
    expect(await listed(pen.productId)).toMatchObject({ availabilityStatus: "unavailable" });
    expect(await listed(other.productId)).toMatchObject({ availabilityStatus: "available" });
  });

  test("is asked once by many readers, and again when its answer is old", async () => {
    const time = holdMemory();
    const second = await addAlike({});
    for (const operation of ["listProducts", "checkAvailability"] as const) {
      pen.simulator.fault({ kind: "late", delayMs: 50, operation });
      // Whoever asked a second time would not get the list.
      pen.simulator.fault({ kind: "refuse", code: "unauthorized", operation, times: null });
    }
    const readers = Array.from({ length: 40 }, () => [listed(pen.productId), listed(second.productId)]);
    for (const seen of await Promise.all(readers.flat())) expect(seen).toMatchObject({ inStock: true });
    expect(await listed(second.productId)).toMatchObject({ inStock: true });
    const checks = await Promise.all(Array.from({ length: 40 }, () => check(pen.productId, 2)));
    for (const { body } of checks) expect(body).toMatchObject({ available: true });

    pen.simulator.clearFaults();
    pen.simulator.setStock(pen.supplierProductId, 0);
    expect(await listed(pen.productId)).toMatchObject({ inStock: true });
    time.pass(5_001);
    await expect.poll(async () => (await listed(pen.productId)).inStock, SELDOM).toBe(false);
    await expect.poll(async () => (await check(pen.productId, 2)).body.available, SELDOM).toBe(false);
    expect(await listed(second.productId)).toMatchObject({ inStock: true });
  });
});

test("a product is added only for a supplier that the shop knows", async () => {
  const supply = { supplierId: "nobody", supplierProductId: "x", maxUnitCostMicrocents: usd("1") };
  const created = shop.products.create({ productId: "orphan", name: "Orphan", supply });
  await expect(created).rejects.toMatchObject({ code: "not_found", facts: { supplier: "nobody" } });
  await expect(shop.products.get("orphan")).rejects.toMatchObject({ code: "not_found" });
});
