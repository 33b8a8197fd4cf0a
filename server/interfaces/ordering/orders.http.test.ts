import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.stop());

test("a buyer reads the catalog, buys two codes and reads the order again", async () => {
  const catalog = await shop.call("/products");
  expect(catalog.status).toBe(200);
  const order = { externalOrderId: "first", productId: shop.productId, qty: 2, expectedUnitPrice: "1.0" };
  const bought = await shop.call("/orders", { body: order });
  expect(bought).toMatchObject({
    status: 200,
    body: { status: "delivered", reused: false, codes: shop.codes.slice(0, 2) },
  });
  const again = await shop.call("/orders", { body: order });
  expect(again.body).toEqual({ ...bought.body, reused: true });
  const read = await shop.call(`/orders/${bought.body.orderId}`);
  expect(read.body).toEqual(bought.body);
  const list = await shop.call("/orders");
  expect(list.body).toEqual({ orders: [{ ...bought.body, codes: [] }], hasMore: false, nextCursor: null });
  const balance = await shop.call("/balance");
  expect(balance.body).toMatchObject({ balance: "98.00", reserved: "0.00", available: "98.00" });
});
