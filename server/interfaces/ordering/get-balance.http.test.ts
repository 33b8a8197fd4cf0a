import { afterEach, beforeEach, expect, test } from "vitest";
import { microcents } from "../../money/microcents.ts";
import { addCaller, addModel, completedWith, mostOutput } from "../../testing/test-calls.ts";
import { startTestShop, type TestShop, usd } from "../../testing/test-shop.ts";

let shop: TestShop;
beforeEach(async () => {
  shop = await startTestShop();
});
afterEach(() => shop.stop());

test("top-ups raise balance and level; purchases, refunds and adjustments leave the level", async () => {
  const accountId = await shop.addAccount("499.99");
  const { key } = await shop.addKey(accountId);
  const balance = async () => (await shop.call("/balance", { key })).body;
  expect(await balance()).toMatchObject({
    balance: "499.99",
    level: { level: 2, nextLevel: { remaining: "0.01" } },
  });
  await shop.ledger.topUp({ accountId, amountMicrocents: usd("0.01"), reference: "cent" });
  expect(await balance()).toMatchObject({ balance: "500.00", level: { level: 3, score: "500.00" } });
  await shop.call("/orders", { key, body: { externalOrderId: "x", productId: shop.productId, qty: 2 } });
  await shop.ledger.adjust({ accountId, amountMicrocents: usd("5000"), reference: "gift", note: "goodwill" });
  expect(await balance()).toMatchObject({ balance: "5498.00", level: { level: 3, score: "500.00" } });
});

test("each level pays its own price, also from the moment that a top-up raises it", async () => {
  await shop.products.setPrices(shop.productId, {
    1: usd("5"),
    2: usd("4"),
    3: usd("3"),
    4: usd("2"),
    5: usd("1"),
  });
  const accountId = await shop.addAccount("0");
  const { key } = await shop.addKey(accountId);
  const seen: string[] = [];
  for (const amount of ["50", "50", "400", "1500", "8000"]) {
    await shop.ledger.topUp({
      accountId,
      amountMicrocents: usd(amount),
      reference: `to ${amount} ${seen.length}`,
    });
    const { price } = (await shop.call("/products", { key })).body.products[0];
    const body = {
      externalOrderId: `at ${price} ${seen.length}`,
      productId: shop.productId,
      qty: 1,
      expectedUnitPrice: price,
    };
    expect(await shop.call("/orders", { key, body })).toMatchObject({
      status: 200,
      body: { unitPrice: price },
    });
    seen.push(price);
  }
  expect(seen).toEqual(["5.00", "4.00", "3.00", "2.00", "1.00"]);
});

test("the public price list shows enabled products at all levels, null where one is not sold", async () => {
  await shop.products.setPrices(shop.productId, { 1: null, 5: usd("0.99") });
  const hidden = await shop.addProduct();
  await shop.products.setEnabled(hidden.productId, false);
  const { body } = await shop.call("/pricing", { key: null });
  expect(body.levels).toEqual(
    ["0.00", "100.00", "500.00", "2000.00", "10000.00"].map((threshold, index) => ({
      level: index + 1,
      threshold,
    })),
  );
  expect(body.products).toEqual([
    {
      id: shop.productId,
      slug: null,
      name: expect.any(String),
      currency: "USD",
      levelPrices: { level1: null, level2: "1.00", level3: "1.00", level4: "1.00", level5: "0.99" },
    },
  ]);
});

test("stock is shown up to the product's cap", async () => {
  const productId = "capped";
  await shop.products.create({
    productId,
    name: "Capped",
    redeemUrl: "https://redeem.example/",
    stockCap: 3,
  });
  await shop.products.setPrices(productId, { 2: usd("1") });
  const shown = async () => {
    const { products } = (await shop.call("/products")).body;
    return products.find(({ id }: { id: string }) => id === productId);
  };
  expect(await shown()).toMatchObject({
    stock: 0,
    inStock: false,
    stockCapped: false,
    availabilityStatus: "out_of_stock",
  });
  const codes = (from: number, to: number) =>
    (async function* () {
      for (let index = from; index < to; index += 1) yield `CAPPED-${index}`;
    })();
  await shop.stock.import(productId, codes(0, 3));
  expect(await shown()).toMatchObject({
    stock: 3,
    inStock: true,
    stockCapped: false,
    availabilityStatus: "available",
  });
  await shop.stock.import(productId, codes(3, 4));
  expect(await shown()).toMatchObject({ stock: 3, stockCapped: true });
});

test("what is shown never overstates: the balance is rounded down, what is reserved and what is missing up", async () => {
  const accountId = await shop.addAccount("10");
  const { key } = await shop.addKey(accountId);
  const balance = async () => (await shop.call("/balance", { key })).body;
  const caller = await addCaller(shop, accountId);
  const model = await addModel(shop);
  const call = await shop.calls.begin({ caller, model, requestId: "r", most: mostOutput(2_000) });
  expect(await balance()).toMatchObject({ balance: "10.00", reserved: "0.0001", available: "9.9999" });
  await shop.calls.end(call, completedWith(2_000));
  expect(await balance()).toMatchObject({ balance: "9.9999", reserved: "0.00", available: "9.9999" });
  // Half of 0.0001 USD: 89.99995 are missing.
  await shop.ledger.topUp({ accountId, amountMicrocents: microcents(5_000n), reference: "part" });
  expect(await balance()).toMatchObject({
    level: { score: "10.00", nextLevel: { remaining: "90.00", remainingMicrocents: 8_999_995_000 } },
  });
});
