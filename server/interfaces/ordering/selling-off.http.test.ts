import { afterEach, beforeEach, expect, test } from "vitest";
import { compose } from "../../compose.ts";
import { closeDatabase } from "../../database/database.ts";
import { startSupplierSimulator } from "../../simulators/supplier/supplier-simulator.ts";
import { startTestShop, type TestShop, testConfig } from "../../testing/test-shop.ts";
import { addOnDemandProduct } from "../../testing/test-supplier.ts";

let shop: TestShop;
beforeEach(async () => {
  shop = await startTestShop(Date.now, { selling: false });
});
afterEach(() => shop.stop());

test("a shop that sells nothing shows its catalog, refuses new orders and answers old ones", async () => {
  const simulator = await startSupplierSimulator();
  const { productId: onDemand } = await addOnDemandProduct(shop, { simulator });
  const selling = compose(testConfig(shop.databaseUrl));
  const caller = await selling.keys.authenticate(shop.orderingKey);
  if (caller === null) throw new Error("The key is not known.");
  const order = { externalOrderId: "before", productId: shop.productId, qty: 2 };
  const placed = await selling.orders.place({ ...order, caller, expectedUnitPrice: null });
  await closeDatabase(selling.database);

  const { products } = (await shop.call("/products")).body;
  expect(products).toHaveLength(2);
  for (const product of products) expect(product).toMatchObject({ inStock: false });
  for (const productId of [shop.productId, onDemand]) {
    const asked = await shop.call(`/products/${productId}/availability?qty=1`);
    expect(asked).toMatchObject({ status: 200, body: { available: false } });
    const body = { externalOrderId: `new ${productId}`, productId, qty: 1 };
    expect(await shop.call("/orders", { body })).toMatchObject({
      status: 409,
      body: { error: "out_of_stock" },
    });
  }
  expect(await shop.call("/orders", { body: order })).toMatchObject({
    status: 200,
    body: { reused: true, orderId: placed.order.orderId },
  });
  expect((await shop.call("/orders")).body.orders).toHaveLength(1);
  await simulator.close();
});
