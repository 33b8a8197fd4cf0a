import type { components } from "../../../generated/ordering/types.ts";
import { LEVEL_THRESHOLDS, LEVELS, type Level } from "../../accounts/level.ts";
import type { Offer } from "../../catalog/offer.ts";
import type { Product } from "../../catalog/product.ts";
import { unixSeconds } from "../../clock.ts";
import { formatDecimalMoney } from "../../money/microcents.ts";
import type { StockMode } from "../../stock/stock-mode.ts";
import type { SameValues } from "../same-values.ts";

type Schemas = components["schemas"];

const STOCK_MODES: SameValues<NonNullable<Schemas["Product"]["stockMode"]>, StockMode> = {
  inventory: "inventory",
  on_demand: "on_demand",
};

const FULFILLMENT_MODE = "automatic";
const DELIVERY_MODE = "instant";

export function toApiPricing(products: readonly Product[]): Schemas["Pricing"] {
  return {
    levels: LEVELS.map((level) => ({ level, threshold: formatDecimalMoney(LEVEL_THRESHOLDS[level]) })),
    products: products.map(toApiPricingProduct),
  };
}

function toApiPricingProduct({ productId, slug, name, prices }: Product): Schemas["PricingProduct"] {
  const price = (level: Level) => (prices[level] === null ? null : formatDecimalMoney(prices[level]));
  return {
    id: productId,
    slug,
    name,
    currency: "USD",
    levelPrices: { level1: price(1), level2: price(2), level3: price(3), level4: price(4), level5: price(5) },
  };
}

const printed = new WeakMap<readonly Offer[], Schemas["Product"][]>();

/** The offers of one reading of the catalog, printed once for all who share the reading. */
export function toApiProducts(offers: readonly Offer[]): Schemas["Product"][] {
  const known = printed.get(offers);
  if (known !== undefined) return known;
  const products = offers.map(toApiProduct);
  printed.set(offers, products);
  return products;
}

function toApiProduct({ product, unitPriceMicrocents, remaining, status }: Offer): Schemas["Product"] {
  return {
    id: product.productId,
    slug: product.slug,
    name: product.name,
    price: formatDecimalMoney(unitPriceMicrocents),
    currency: "USD",
    fulfillmentMode: FULFILLMENT_MODE,
    inStock: status === "available",
    stockMode: STOCK_MODES[product.stockMode],
    stock: remaining === null ? null : Math.min(remaining, product.stockCap),
    stockCapped: remaining !== null && remaining > product.stockCap,
    availabilityStatus: status,
    deliveryMode: DELIVERY_MODE,
  };
}

/** @param offer of that many codes. */
export function toApiAvailability(offer: Offer, qty: number, checkedAtMs: number): Schemas["Availability"] {
  return {
    productId: offer.product.productId,
    qty,
    available: offer.status === "available",
    unitPrice: formatDecimalMoney(offer.unitPriceMicrocents),
    currency: "USD",
    stockMode: STOCK_MODES[offer.product.stockMode],
    availabilityStatus: offer.status,
    deliveryMode: DELIVERY_MODE,
    checkedAt: unixSeconds(checkedAtMs),
  };
}
