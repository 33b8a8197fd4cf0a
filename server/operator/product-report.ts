import { LEVELS, type Level } from "../accounts/level.ts";
import type { StockedProduct } from "../catalog/catalog.ts";
import type { Product, Supply } from "../catalog/product.ts";
import { formatUsd } from "../money/microcents.ts";
import { details, isoTime, optionalUsd, type Report, table } from "./report.ts";

/** A product as the operator keeps it. */
export function productReport(product: Product): Report {
  const json = productJson(product);
  return { json, text: details(productProperties(json)) };
}

/** A product with what is left of it. */
export function stockedReport({ product, remaining }: StockedProduct): Report {
  const json = { ...productJson(product), stock: remaining };
  return { json, text: details({ ...productProperties(json), Stock: stockText(remaining) }) };
}

function productProperties({ prices, supply, ...json }: ReturnType<typeof productJson>) {
  return {
    Product: json.productId,
    Name: json.name,
    Slug: json.slug,
    Enabled: yesOrNo(json.enabled),
    "Redeem URL": json.redeemUrl ?? "the supplier's",
    "Stock mode": json.stockMode,
    ...(supply && {
      Supplier: supply.supplierId,
      "Supplier product": supply.supplierProductId,
      "Max cost USD": supply.maxCost,
    }),
    "Stock cap": json.stockCap,
    ...Object.fromEntries(
      LEVELS.map((level) => [`Level ${level} USD`, prices[`level${level}`] ?? "not sold"]),
    ),
    Created: json.createdAt,
  };
}

/** Products with what is left of them, one a row. */
export function productList(catalog: readonly StockedProduct[]): Report {
  const json = catalog.map(({ product, remaining }) => ({ ...productJson(product), stock: remaining }));
  const rows = json.map(({ productId, name, enabled, stock, prices, supply }) => [
    productId,
    name,
    yesOrNo(enabled),
    stockText(stock),
    ...LEVELS.map((level) => prices[`level${level}`]),
    supply?.supplierId ?? null,
  ]);
  const headings = [
    "Product",
    "Name",
    "Enabled",
    ">Stock",
    ...LEVELS.map((level) => `>Level ${level} USD`),
    "Supplier",
  ];
  return { json, text: table(headings, rows, "There are no products yet.") };
}

function productJson(product: Product) {
  const price = (level: Level) => optionalUsd(product.prices[level]);
  return {
    productId: product.productId,
    name: product.name,
    slug: product.slug,
    redeemUrl: product.redeemUrl,
    enabled: product.enabled,
    stockMode: product.stockMode,
    supply: supplyJson(product.supply),
    stockCap: product.stockCap,
    prices: { level1: price(1), level2: price(2), level3: price(3), level4: price(4), level5: price(5) },
    createdAt: isoTime(product.createdAtMs),
  };
}

function supplyJson(supply: Supply | null) {
  if (supply === null) return null;
  const { supplierId, supplierProductId, maxUnitCostMicrocents } = supply;
  return { supplierId, supplierProductId, maxCost: formatUsd(maxUnitCostMicrocents) };
}

function stockText(remaining: number | null): number | string {
  return remaining ?? "on demand";
}

function yesOrNo(value: boolean): string {
  return value ? "yes" : "no";
}
