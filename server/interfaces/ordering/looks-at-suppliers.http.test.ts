import { afterEach, beforeEach, expect, test } from "vitest";
import type { AccountId } from "../../ids.ts";
import type { Microcents } from "../../money/microcents.ts";
import { limitsOf } from "../../testing/documented-limits.ts";
import { requestShop } from "../../testing/request-shop.ts";
import { addCaller, addModel, mostOutput } from "../../testing/test-calls.ts";
import { startTestShop, type TestShop, usd } from "../../testing/test-shop.ts";

const SUPPLIER_LIMIT = 60;
const PURCHASES = 12;

// The supplier is a shop as well, which keeps to its request limit.
let supplier: TestShop;
let shop: TestShop;
beforeEach(async () => {
  supplier = await startTestShop();
  shop = await startTestShop(Date.now, { supplierLooksPerMinute: SUPPLIER_LIMIT / 2 });
});
afterEach(async () => {
  await shop.stop();
  await supplier.stop();
});

/** Adds a product that is bought from the supplier. */
async function addSuppliedProduct(codes: number): Promise<string> {
  const { accountId } = await supplier.accounts.create({ name: "Reseller", rpmLimit: SUPPLIER_LIMIT });
  await supplier.ledger.topUp({ accountId, amountMicrocents: usd("500"), reference: "r" });
  const { key: apiKey } = await supplier.addKey(accountId);
  const { productId: supplierProductId } = await supplier.addProduct({ codes, price: "0.10" });
  await shop.suppliers.add({ supplierId: "acme", baseUrl: supplier.baseUrl, apiKey });
  await shop.products.create({
    productId: "pen",
    name: "Pen",
    supply: { supplierId: "acme", supplierProductId, maxUnitCostMicrocents: usd("0.50") },
  });
  const price = usd("1");
  await shop.products.setPrices("pen", { 1: price, 2: price, 3: price, 4: price, 5: price });
  return "pen";
}

/** Sets money aside, as a call that runs does. */
async function reserve(accountId: AccountId, amount: Microcents): Promise<void> {
  const [model, caller] = [await addModel(shop), await addCaller(shop, accountId)];
  await shop.calls.begin({ caller, model, requestId: "r", most: mostOutput(amount) });
}

test.each([
  ["as many codes as anybody may ask for", limitsOf("ordering", "Quantity").maximum],
  ["some codes, so that every quantity is another question", 37],
])(
  "who looks at all quantities of a product does not keep others from buying it, of %s",
  async (_what, codes) => {
    const productId = await addSuppliedProduct(codes);
    const looks = Array.from({ length: 59 }, (_, index) => index + 2);
    for (const qty of looks) await shop.call(`/products/${productId}/availability?qty=${qty}`);
    const { key } = await shop.addKey(await shop.addAccount("1000"));
    for (let count = 0; count < PURCHASES; count += 1) {
      const body = { externalOrderId: `order-${count}`, productId, qty: 1 + (count % 3) };
      expect(await requestShop(shop.baseUrl, "/orders", { key, body })).toMatchObject({ status: 200 });
    }
  },
);

test.each([
  ["it cannot pay for", "1.50", "0"],
  ["it could pay for with money that is set aside", "101.50", "100"],
])("nor does who orders what %s", async (_what, balance, reserved) => {
  const productId = await addSuppliedProduct(37);
  const accountId = await shop.addAccount(balance);
  await reserve(accountId, usd(reserved));
  const { key: poor } = await shop.addKey(accountId);
  for (let qty = 2; qty <= 60; qty += 1) {
    const body = { externalOrderId: `poor-${qty}`, productId, qty };
    const { status } = await requestShop(shop.baseUrl, "/orders", { key: poor, body });
    expect([402, 409, 503]).toContain(status);
  }
  const { key } = await shop.addKey(await shop.addAccount("1000"));
  const body = { externalOrderId: "order", productId, qty: 5 };
  expect(await requestShop(shop.baseUrl, "/orders", { key, body })).toMatchObject({ status: 200 });
});
