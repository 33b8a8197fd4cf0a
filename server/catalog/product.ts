import type { Level } from "../accounts/level.ts";
import { InvalidInputError } from "../errors.ts";
import {
  formatUsd,
  isWholeCents,
  MICROCENTS_PER_USD,
  type Microcents,
  microcents,
} from "../money/microcents.ts";
import type { StockMode } from "../stock/stock-mode.ts";

/** Unit price of each level; null where the product is not sold to that level. */
export type LevelPrices = Readonly<Record<Level, Microcents | null>>;

/** Where an on-demand product is bought. */
export interface Supply {
  readonly supplierId: string;
  /** The product's id at the supplier. */
  readonly supplierProductId: string;
  /** The most that one code may cost the shop; dearer ones are not bought. */
  readonly maxUnitCostMicrocents: Microcents;
}

/** A product as the operator keeps it. */
export interface Product {
  /** The operator's stable key: letters, digits, dot, dash and underscore. */
  readonly productId: string;
  readonly slug: string | null;
  readonly name: string;
  /** Where the end user redeems a code; null for an on-demand product whose orders carry the supplier's URL. */
  readonly redeemUrl: string | null;
  readonly stockMode: StockMode;
  /** Null unless the stock mode is `on_demand`. */
  readonly supply: Supply | null;
  /** The largest stock number that is shown to buyers. */
  readonly stockCap: number;
  readonly enabled: boolean;
  readonly prices: LevelPrices;
  readonly createdAtMs: number;
}

/** A product that is sold to some level, at that level's price. */
export interface PricedProduct {
  readonly product: Product;
  readonly unitPriceMicrocents: Microcents;
}

/** The parts of a product that an operator states when creating it. */
export type NewProduct = Pick<Product, "productId" | "name"> &
  Partial<Pick<Product, "redeemUrl" | "slug" | "stockCap" | "supply">>;

export const NO_PRICES: LevelPrices = { 1: null, 2: null, 3: null, 4: null, 5: null };
export const DEFAULT_STOCK_CAP = 1_000;

const PRODUCT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
export const MAX_NAME_LENGTH = 200;
export const MAX_SLUG_LENGTH = 128;
export const MAX_URL_LENGTH = 2_000;
const MAX_STOCK_CAP = 1_000_000_000;
// A thousand of the dearest still is an amount that an account can hold.
const MAX_PRICE_MICROCENTS = microcents(50_000n * MICROCENTS_PER_USD);

/** Whether a text can be the id of a product at all. */
export function isProductId(text: string): boolean {
  return PRODUCT_ID.test(text);
}

/** @throws {InvalidInputError} saying which part of the product is out of bounds. */
export function checkNewProduct({ productId, name, slug, redeemUrl, stockCap, supply }: NewProduct): void {
  if (!isProductId(productId)) {
    throw new InvalidInputError(
      "A product's id has 1 to 128 characters: letters, digits, dot, dash and underscore, the first a letter or digit.",
    );
  }
  if (name.trim() === "" || name.length > MAX_NAME_LENGTH) {
    throw new InvalidInputError(`A product's name has 1 to ${MAX_NAME_LENGTH} characters.`);
  }
  if (typeof slug === "string" && (slug.trim() === "" || slug.length > MAX_SLUG_LENGTH)) {
    throw new InvalidInputError(`A product's slug has 1 to ${MAX_SLUG_LENGTH} characters.`);
  }
  if (stockCap !== undefined && (!Number.isInteger(stockCap) || stockCap < 1 || stockCap > MAX_STOCK_CAP)) {
    throw new InvalidInputError(`A stock cap is a whole number from 1 to ${MAX_STOCK_CAP}.`);
  }
  if (redeemUrl) checkRedeemUrl(redeemUrl);
  else if (!supply) throw redeemUrlMissing();
  if (supply) checkSupply(supply);
}

/** Only the operator can say where an imported code is redeemed. */
export function redeemUrlMissing(): InvalidInputError {
  return new InvalidInputError("A product that sells imported codes needs a redeem URL.");
}

/** A product that has no price yet. */
export function newProduct(request: NewProduct, createdAtMs: number): Product {
  return {
    productId: request.productId,
    slug: request.slug ?? null,
    name: request.name,
    redeemUrl: request.redeemUrl ?? null,
    stockMode: request.supply ? "on_demand" : "inventory",
    supply: request.supply ?? null,
    stockCap: request.stockCap ?? DEFAULT_STOCK_CAP,
    enabled: true,
    prices: NO_PRICES,
    createdAtMs,
  };
}

/** @throws {InvalidInputError} saying which part of the supply is out of bounds. */
export function checkSupply({ supplierProductId, maxUnitCostMicrocents }: Supply): void {
  if (!/^[!-~]{1,128}$/.test(supplierProductId)) {
    throw new InvalidInputError("A supplier's product id has 1 to 128 ASCII characters without spaces.");
  }
  if (maxUnitCostMicrocents <= 0n || maxUnitCostMicrocents > MAX_PRICE_MICROCENTS) {
    throw new InvalidInputError(
      `The most that a code may cost is above zero and at most ${formatUsd(MAX_PRICE_MICROCENTS)} USD.`,
    );
  }
}

/** @throws {InvalidInputError} it is no absolute http or https URL, or too long. */
export function checkRedeemUrl(redeemUrl: string): void {
  const url = URL.canParse(redeemUrl) ? new URL(redeemUrl) : null;
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    redeemUrl.length > MAX_URL_LENGTH ||
    /[^!-~]/.test(redeemUrl)
  ) {
    throw new InvalidInputError(
      `A redeem URL is an absolute http or https URL of at most ${MAX_URL_LENGTH} ASCII characters.`,
    );
  }
}

/** @throws {InvalidInputError} a price is not above zero or not whole cents. */
export function checkPrices(prices: Partial<LevelPrices>): void {
  for (const [level, price] of Object.entries(prices)) {
    if (price === null || price === undefined) continue;
    if (price <= 0n || price > MAX_PRICE_MICROCENTS || !isWholeCents(price)) {
      throw new InvalidInputError(
        `The price of level ${level} must be whole cents from 0.01 to ${formatUsd(MAX_PRICE_MICROCENTS)}, such as 12.50.`,
      );
    }
  }
}

/** A product at a level's price; null when it is not sold to that level. */
export function priceFor(product: Product, level: Level): PricedProduct | null {
  const unitPriceMicrocents = product.prices[level];
  return product.enabled && unitPriceMicrocents !== null ? { product, unitPriceMicrocents } : null;
}
