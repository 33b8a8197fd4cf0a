import { expect, test } from "vitest";
import { LEVELS } from "../accounts/level.ts";
import { usd } from "../testing/test-shop.ts";
import { Catalog } from "./catalog.ts";
import { type LevelPrices, NO_PRICES, newProduct } from "./product.ts";

const entry = (productId: string, prices: Partial<LevelPrices>, supplierId?: string) => {
  const supply = { supplierProductId: productId, maxUnitCostMicrocents: usd("9") };
  const supplied = supplierId === undefined ? {} : { supply: { supplierId, ...supply } };
  const product = newProduct(
    { productId, name: productId, redeemUrl: "https://redeem.example", ...supplied },
    0,
  );
  return { product: { ...product, prices: { ...NO_PRICES, ...prices } }, remaining: 5 };
};

test("each level has what is sold to it at its own price, however many share a reading", async () => {
  const catalog = new Catalog(
    [
      entry("pen", { 1: usd("5"), 2: usd("4"), 3: usd("3") }),
      entry("cup", { 2: usd("9"), 5: usd("7") }),
      entry("hat", { 3: usd("2") }, "acme"),
    ],
    { catalog: async () => new Map([["hat", { unitCostMicrocents: usd("1"), available: true }]]) },
  );
  const sold = async () =>
    Promise.all(
      LEVELS.map(async (level) =>
        (await catalog.offers(level)).map(
          ({ product, unitPriceMicrocents }) => `${product.productId} ${unitPriceMicrocents / usd("1")}`,
        ),
      ),
    );
  const each = [["pen 5"], ["pen 4", "cup 9"], ["pen 3", "hat 2"], [], ["cup 7"]];
  expect(await Promise.all([sold(), sold()])).toEqual([each, each]);
});
