import type { components } from "../../../generated/ordering/types.ts";
import { LEVEL_THRESHOLDS, LEVELS } from "../../accounts/level.ts";
import { unixSeconds } from "../../clock.ts";
import { formatDecimalMoney, parseDecimalMoney, subtract, toJsonInteger } from "../../money/microcents.ts";
import type { Shop, SimulatedOrder, SimulatedProduct } from "./shop.ts";

type Schemas = components["schemas"];

const DELIVERY_MODE = "instant";
/** What an endless balance shows. */
const ENDLESS_BALANCE = "1000000.00";
/** The buyer stands at the highest level, and every level has the same price. */
const LEVEL: Schemas["LevelSummary"] = {
  level: 5,
  scoreMicrocents: toJsonInteger(LEVEL_THRESHOLDS[5]),
  score: formatDecimalMoney(LEVEL_THRESHOLDS[5]),
  nextLevel: null,
};

export function toApiPricing({ products }: Shop): Schemas["Pricing"] {
  return {
    levels: LEVELS.map((level) => ({ level, threshold: formatDecimalMoney(LEVEL_THRESHOLDS[level]) })),
    products: [...products.values()].map(({ productId, name, unitPriceMicrocents }) => {
      const price = formatDecimalMoney(unitPriceMicrocents);
      const levelPrices = { level1: price, level2: price, level3: price, level4: price, level5: price };
      return { id: productId, slug: null, name, currency: "USD", levelPrices };
    }),
  };
}

export function toApiProductList({ products }: Shop): Schemas["ProductList"] {
  return { level: LEVEL, products: [...products.values()].map(toApiProduct) };
}

function toApiProduct(product: SimulatedProduct): Schemas["Product"] {
  const { productId, name, unitPriceMicrocents, stock } = product;
  return {
    id: productId,
    slug: null,
    name,
    price: formatDecimalMoney(unitPriceMicrocents),
    currency: "USD",
    fulfillmentMode: "automatic",
    inStock: hasStock(product, 1),
    stockMode: stock === null ? "on_demand" : "inventory",
    stock,
    stockCapped: false,
    availabilityStatus: availabilityStatus(hasStock(product, 1)),
    deliveryMode: DELIVERY_MODE,
  };
}

export function toApiAvailability(product: SimulatedProduct, qty: number): Schemas["Availability"] {
  const available = hasStock(product, qty);
  return {
    productId: product.productId,
    qty,
    available,
    unitPrice: formatDecimalMoney(product.unitPriceMicrocents),
    currency: "USD",
    stockMode: product.stock === null ? "on_demand" : "inventory",
    availabilityStatus: availabilityStatus(available),
    deliveryMode: DELIVERY_MODE,
    checkedAt: unixSeconds(Date.now()),
  };
}

export function toApiBalance({ balanceMicrocents, reservedMicrocents }: Shop): Schemas["Balance"] {
  const balance = balanceMicrocents === null ? ENDLESS_BALANCE : formatDecimalMoney(balanceMicrocents);
  const reserved = formatDecimalMoney(reservedMicrocents, "up");
  return { balance, reserved, available: difference(balance, reserved), currency: "USD", level: LEVEL };
}

/** @param codes none, unless the answer is one that shows them. */
export function toApiOrder(
  order: SimulatedOrder,
  { codes, reused }: { codes: string[]; reused: boolean },
): Schemas["Order"] {
  return {
    orderId: order.orderId,
    externalOrderId: order.externalOrderId,
    productId: order.product.productId,
    productName: order.product.name,
    qty: order.qty,
    unitPrice: formatDecimalMoney(order.unitPriceMicrocents),
    amount: formatDecimalMoney(order.amountMicrocents),
    currency: "USD",
    status: order.status,
    codes,
    redeemUrl: order.deliveredAtMs === null ? null : order.product.redeemUrl,
    errorCode: order.errorCode,
    createdAt: unixSeconds(order.createdAtMs),
    deliveredAt: order.deliveredAtMs === null ? null : unixSeconds(order.deliveredAtMs),
    reused,
  };
}

/** `a - b` of two printed amounts, so that what is shown adds up. */
function difference(a: string, b: string): string {
  const [from, take] = [parseDecimalMoney(a), parseDecimalMoney(b)];
  if (from === null || take === null) throw new Error("A printed amount is no amount.");
  return formatDecimalMoney(subtract(from, take));
}

function hasStock({ stock, claimsStock }: SimulatedProduct, qty: number): boolean {
  return claimsStock || stock === null || stock >= qty;
}

function availabilityStatus(available: boolean): string {
  return available ? "available" : "out_of_stock";
}
