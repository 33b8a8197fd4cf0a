import { MAX_NAME_LENGTH, MAX_SLUG_LENGTH, MAX_URL_LENGTH } from "../../../server/catalog/product.ts";
import type { TestAiProxy } from "../../../server/testing/test-ai-proxy.ts";
import { linesOf, usd } from "../../../server/testing/test-shop.ts";
import { addOnDemandProduct } from "../../../server/testing/test-supplier.ts";
import { keyName } from "../../fuzz/callers.ts";
import type { FuzzedInterface } from "../../fuzz/fuzzed-interface.ts";
import type { ShopNames } from "../../fuzz/request.ts";

/** A product that never sells out. */
export const PLENTY = "fuzz-plenty";

const ON_DEMAND = "fuzz-on-demand";
const DEAR = "fuzz-dear";
/** Less than would take the whole balance. */
const DEAR_CODES = 19;
const CODES_OF_PRODUCTS = { "fuzz-scarce": 3, constructor: 500, "fuzz-empty": 0 };
const PRODUCTS = [PLENTY, ...Object.keys(CODES_OF_PRODUCTS), DEAR, ON_DEMAND];
const PLENTY_PER_REQUEST = 5;
const ORDERS = ["fuzz-1", "Fuzz-1", "fuzz-1 "];

/** What an answer may say of a product is as long as the shop lets it be. */
function longestWords(productId: string) {
  return {
    name: productId.padEnd(MAX_NAME_LENGTH, "n"),
    slug: productId.padEnd(MAX_SLUG_LENGTH, "s"),
    redeemUrl: `https://redeem.example/${productId}/`.padEnd(MAX_URL_LENGTH, "u"),
  };
}

/** Products and orders that requests find in the shop: the same in every run, so that a seed repeats them. */
export const FUZZ_DATA: Pick<FuzzedInterface, "byName" | "byParameter" | "prepare"> = {
  byName: {
    ProductId: { values: PRODUCTS, percent: 90 },
    ExternalOrderId: { values: ORDERS, percent: 20 },
    expectedUnitPrice: { values: ["1.25", "01.25", "1.00", "1"], percent: 75 },
  },
  byParameter: {
    "getOrder id": {
      values: [...ORDERS.map((_, index) => orderName(index)), "SHOP_ORDER_FOREIGN"],
      percent: 75,
    },
    "listOrders cursor": { values: ["SHOP_CURSOR"], percent: 75 },
    "listOrders externalOrderId": { values: ORDERS, percent: 75 },
  },
  async prepare({ supplier: simulator, apiKeys, requests, ...shop }) {
    for (const [productId, codes] of Object.entries(CODES_OF_PRODUCTS))
      await addStock(shop, productId, "1.25", codes);
    await addStock(shop, PLENTY, "1.25", ORDERS.length + 1 + requests * PLENTY_PER_REQUEST);
    await addStock(shop, DEAR, "50000.00", DEAR_CODES);
    await addOnDemandProduct(shop, { simulator, productId: ON_DEMAND });
    return addOrders(shop, apiKeys[keyName("product_ordering")] ?? "");
  },
};

async function addStock(shop: TestAiProxy, productId: string, price: string, codes: number): Promise<void> {
  await shop.products.create({ productId, ...longestWords(productId) });
  const amount = usd(price);
  await shop.products.setPrices(productId, { 1: amount, 2: amount, 3: amount, 4: amount, 5: amount });
  const lines = Array.from({ length: codes }, (_, index) => `${productId}-${index}`);
  if (codes > 0) await shop.stock.import(productId, linesOf(lines));
}

async function addOrders(shop: TestAiProxy, key: string): Promise<ShopNames> {
  const names: Record<string, string> = {};
  const buy = async (externalOrderId: string, buyer: string) => {
    const body = { externalOrderId, productId: PLENTY, qty: 1 };
    return (await shop.call("/orders", { body, key: buyer })).body.orderId;
  };
  for (const [index, externalOrderId] of ORDERS.entries())
    names[orderName(index)] = await buy(externalOrderId, key);
  names.SHOP_ORDER_FOREIGN = await buy("fuzz-1", shop.orderingKey);
  names.SHOP_CURSOR = (await shop.call("/orders?limit=1", { key })).body.nextCursor;
  return names;
}

function orderName(index: number): string {
  return `SHOP_ORDER_${index + 1}`;
}
