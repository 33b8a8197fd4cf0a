import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestShop, type TestShop } from "../../server/testing/test-shop.ts";
import type { ShopFacts } from "./requests.ts";
import { runDredd } from "./run-dredd.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.stop());

/** Answers that no plain request to a healthy shop leads to; no kind of key lacks `shop:read`. */
const unreachable = [
  "getPricing 500",
  "listProducts 403",
  "listProducts 500",
  "listProducts 503",
  "checkAvailability 403",
  "checkAvailability 500",
  "checkAvailability 503",
  "getBalance 403",
  "getBalance 500",
  "createOrder 500",
  "createOrder 503",
  "listOrders 500",
  "getOrder 500",
];

test("the live server answers every operation as the contract says", async () => {
  const { passed, skipped, failed } = await runDredd(shop.baseUrl, await factsOf(shop));
  console.log(
    `Dredd: ${passed.length} transactions passed, ${skipped.length} skipped (${skipped.join(", ")})`,
  );
  expect(failed).toEqual([]);
  expect(skipped).toEqual(unreachable);
});

async function factsOf({ orderingKey, generalKey, productId, ...use }: TestShop): Promise<ShopFacts> {
  const busy = await use.accounts.create({ name: "Busy account", rpmLimit: 1 });
  const { key: exhaustedKey } = await use.addKey(busy.accountId);
  await use.call("/balance", { key: exhaustedKey });
  const { productId: dearProductId } = await use.addProduct({ price: "1000.00" });
  const { body: order } = await use.call("/orders", {
    body: { externalOrderId: "dredd-0", productId, qty: 1 },
  });
  return { orderingKey, generalKey, exhaustedKey, productId, dearProductId, orderId: order.orderId };
}
