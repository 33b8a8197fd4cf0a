import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type SupplierSimulator,
  startSupplierSimulator,
} from "../../scripts/supplier-simulator/supplier-simulator.ts";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";

let services: TestServices;
let simulator: SupplierSimulator;
let accountId: AccountId;
let caller: Caller;
beforeEach(async () => {
  services = await openTestServices();
  simulator = await startSupplierSimulator({
    products: [{ productId: "theirs", unitPrice: "0.50", stock: 10 }],
  });
  await services.suppliers.add({
    supplierId: "acme",
    baseUrl: simulator.url,
    apiKey: simulator.apiKey,
  });
  await services.products.create({
    productId: "ours",
    name: "Ours",
    supply: { supplierId: "acme", supplierProductId: "theirs", maxUnitCostMicrocents: usd("0.80") },
  });
  const price = usd("1");
  await services.products.setPrices("ours", { 1: price, 2: price, 3: price, 4: price, 5: price });
  accountId = await services.addAccount("10");
  const known = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (known === null) throw new Error("the key is not known");
  caller = known;
});
afterEach(async () => {
  await simulator.close();
  await services.dispose();
});

const request = (externalOrderId: string, qty = 1) => ({
  caller,
  externalOrderId,
  productId: "ours",
  qty,
  expectedUnitPrice: null,
});

test("an order is bought from the supplier, charged once and given again", async () => {
  const { order, reused } = await services.orders.place(request("a", 3));
  expect(reused).toBe(false);
  expect(order).toMatchObject({ status: "delivered", qty: 3, amountMicrocents: usd("3") });
  expect(order.codes).toEqual(simulator.purchases().get(order.orderId)?.deliveredCodes);
  expect(order.redeemUrl).toMatch(/^http/);
  const again = await services.orders.place(request("a", 3));
  expect(again).toEqual({ order, reused: true });
  expect(await services.accounts.get(accountId)).toMatchObject({
    balanceMicrocents: usd("7"),
    reservedMicrocents: 0n,
  });
});
