import { startSupplierSimulator } from "../../server/simulators/supplier/supplier-simulator.ts";
import { addModels, startTestProxy, type TestProxy } from "../../server/testing/test-proxy.ts";
import { linesOf } from "../../server/testing/test-shop.ts";
import { addOnDemandProduct } from "../../server/testing/test-supplier.ts";
import { openSender, type Sender, type ShopNames } from "./request.ts";
import { type Known, keyName } from "./valid-requests.ts";

/** The models that the shop offers. */
export const MODELS = ["sim-echo", "constructor"] as const;

const ON_DEMAND = "fuzz-on-demand";
const BALANCE = "1000000";
const PLENTY = "fuzz-plenty";
const DEAR = "fuzz-dear";
/** Less than would take the whole balance. */
const DEAR_CODES = 19;
const CODES_OF_PRODUCTS = { "fuzz-scarce": 3, constructor: 500, "fuzz-empty": 0 };
const PRODUCTS = [PLENTY, ...Object.keys(CODES_OF_PRODUCTS), DEAR, ON_DEMAND];
const PLENTY_PER_REQUEST = 5;
const ORDERS = ["fuzz-1", "Fuzz-1", "fuzz-1 "];

/** What requests find in the shop: the same in every run, so that a seed repeats them. */
export const KNOWN: Known = {
  byName: {
    ProductId: { values: PRODUCTS, percent: 90 },
    ExternalOrderId: { values: ORDERS, percent: 20 },
    ModelId: { values: MODELS, percent: 90 },
    max_tokens: { values: [1, 7, 1_000], percent: 75 },
    expectedUnitPrice: { values: ["1.25", "01.25", "1.00", "1"], percent: 75 },
  },
  byParameter: {
    "getOrder id": {
      values: [...ORDERS.map((_, index) => orderName(index)), "SHOP_ORDER_FOREIGN"],
      percent: 75,
    },
    "listOrders cursor": { values: ["SHOP_CURSOR"], percent: 75 },
    "listOrders externalOrderId": { values: ORDERS, percent: 75 },
    "listModels after_id": { values: MODELS, percent: 90 },
    "listModels before_id": { values: MODELS, percent: 90 },
  },
};

/** A running shop with everything that {@link KNOWN} names. */
export interface FuzzShop extends TestProxy {
  readonly names: ShopNames;
  readonly sender: Sender;
}

/** Starts a shop for so many requests of all kinds, with an upstream and a supplier. */
export async function startFuzzShop(requests: number): Promise<FuzzShop> {
  const supplier = await startSupplierSimulator();
  const shop = await startTestProxy();
  for (const [productId, codes] of Object.entries(CODES_OF_PRODUCTS))
    await addStock(shop, productId, "1.25", codes);
  await addStock(shop, PLENTY, "1.25", ORDERS.length + 1 + requests * PLENTY_PER_REQUEST);
  await addStock(shop, DEAR, "50000.00", DEAR_CODES);
  await addOnDemandProduct(shop, { simulator: supplier, productId: ON_DEMAND });
  await addModels(shop, MODELS);
  const keys = await addKeys(shop);
  const names = { ...keys, ...(await addOrders(shop, keys[keyName("product_ordering")] ?? "")) };
  const sender = openSender(shop.proxyUrl, names);
  return {
    ...shop,
    names,
    sender,
    async stop() {
      sender.close();
      await shop.stop();
      await supplier.close();
    },
  };
}

async function addStock(shop: TestProxy, productId: string, price: string, codes: number): Promise<void> {
  await shop.addProduct({ productId, price, codes: 0 });
  const lines = Array.from({ length: codes }, (_, index) => `${productId}-${index}`);
  if (codes > 0) await shop.stock.import(productId, linesOf(lines));
}

/** Keys of two accounts, so that what is bought takes nothing from those who call models. */
async function addKeys(shop: TestProxy): Promise<ShopNames> {
  const [buyer, caller] = [await shop.addAccount(BALANCE), await shop.addAccount(BALANCE)];
  const revoked = await shop.addKey(caller, "general");
  await shop.keys.revoke(revoked.keyId);
  return {
    [keyName("revoked")]: revoked.key,
    [keyName("product_ordering")]: (await shop.addKey(buyer, "product_ordering")).key,
    [keyName("general")]: (await shop.addKey(caller, "general")).key,
    [keyName("ai_proxy")]: (await shop.addKey(caller, "ai_proxy")).key,
  };
}

async function addOrders(shop: TestProxy, key: string): Promise<ShopNames> {
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
