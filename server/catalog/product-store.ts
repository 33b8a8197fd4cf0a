import { LEVELS } from "../accounts/level.ts";
import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { placeholders, type Session } from "../database/database.ts";
import type { Transaction } from "../database/transaction.ts";
import { type Microcents, microcents } from "../money/microcents.ts";
import type { StockMode } from "../stock/stock-mode.ts";
import type { LevelPrices, Product, Supply } from "./product.ts";

type PriceColumns = Record<`level${1 | 2 | 3 | 4 | 5}_price_microcents`, bigint | null>;

/** A row of the table `products`. */
interface ProductRow extends PriceColumns {
  product_id: string;
  slug: string | null;
  name: string;
  redeem_url: string | null;
  stock_mode: StockMode;
  stock_cap: number;
  enabled: number;
  created_at_ms: bigint;
  supplier_id: string | null;
  supplier_product_id: string | null;
  max_unit_cost_microcents: bigint | null;
}

const PRICE_COLUMNS = LEVELS.map((level) => `level${level}_price_microcents` as const);
const COLUMNS = [
  "product_id, slug, name, redeem_url, stock_mode, stock_cap, enabled, created_at_ms",
  "supplier_id, supplier_product_id, max_unit_cost_microcents",
  ...PRICE_COLUMNS,
].join(", ");

export async function insertProduct(session: Session, product: Product): Promise<void> {
  await session.change(
    `INSERT INTO products (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      product.productId,
      product.slug,
      product.name,
      product.redeemUrl,
      product.stockMode,
      product.stockCap,
      product.enabled,
      product.createdAtMs,
      product.supply?.supplierId ?? null,
      product.supply?.supplierProductId ?? null,
      product.supply?.maxUnitCostMicrocents ?? null,
      ...LEVELS.map((level) => product.prices[level]),
    ],
  );
}

/** Several products at once, in the order of the ids; null for one that does not exist. */
export async function findProducts(
  session: Session,
  productIds: readonly string[],
): Promise<(Product | null)[]> {
  const ids = paddedToPowerOfTwo(productIds);
  const sql = `SELECT ${COLUMNS} FROM products WHERE product_id IN (${placeholders(ids)})`;
  const rows = new Map((await session.rows<ProductRow>(sql, ids)).map((row) => [row.product_id, row]));
  return productIds.map((id) => {
    const row = rows.get(id);
    return row === undefined ? null : toProduct(row);
  });
}

/** All products, by id. */
export async function listProducts(session: Session): Promise<Product[]> {
  return (await session.rows<ProductRow>(`SELECT ${COLUMNS} FROM products ORDER BY product_id`)).map(
    toProduct,
  );
}

/** Locks a product until the transaction ends; null when there is none. */
export async function lockProduct(tx: Transaction, productId: string): Promise<Product | null> {
  const sql = `SELECT ${COLUMNS} FROM products WHERE product_id = ? FOR UPDATE`;
  const [row] = await tx.rows<ProductRow>(sql, [productId]);
  return row === undefined ? null : toProduct(row);
}

/** Sets the prices that are given and leaves the others. @returns whether there is such a product. */
export async function updatePrices(
  session: Session,
  productId: string,
  prices: Partial<LevelPrices>,
): Promise<boolean> {
  const given = LEVELS.filter((level) => prices[level] !== undefined);
  const assignments = given.map((level) => `level${level}_price_microcents = ?`).join(", ");
  const values = given.map((level): Microcents | null => prices[level] ?? null);
  return (
    (await session.change(`UPDATE products SET ${assignments} WHERE product_id = ?`, [
      ...values,
      productId,
    ])) === 1
  );
}

/** @returns whether there is such a product. */
export async function updateEnabled(session: Session, productId: string, enabled: boolean): Promise<boolean> {
  return (
    (await session.change("UPDATE products SET enabled = ? WHERE product_id = ?", [enabled, productId])) === 1
  );
}

/** @returns whether there is such a product. */
export async function updateRedeemUrl(
  session: Session,
  productId: string,
  redeemUrl: string | null,
): Promise<boolean> {
  return (
    (await session.change("UPDATE products SET redeem_url = ? WHERE product_id = ?", [
      redeemUrl,
      productId,
    ])) === 1
  );
}

/** Sets the parts of an on-demand product's supply that are given. @returns whether there is such a product. */
export async function updateSupply(
  session: Session,
  productId: string,
  { supplierId, supplierProductId, maxUnitCostMicrocents }: Partial<Supply>,
): Promise<boolean> {
  const columns = {
    supplier_id: supplierId,
    supplier_product_id: supplierProductId,
    max_unit_cost_microcents: maxUnitCostMicrocents,
  };
  const given = Object.entries(columns).flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value] as const],
  );
  const assignments = given.map(([column]) => `${column} = ?`).join(", ");
  const sql = `UPDATE products SET ${assignments} WHERE product_id = ? AND stock_mode = 'on_demand'`;
  return (await session.change(sql, [...given.map(([, value]) => value), productId])) === 1;
}

function toProduct(row: ProductRow): Product {
  const price = (level: 1 | 2 | 3 | 4 | 5): Microcents | null => {
    const amount = row[`level${level}_price_microcents`];
    return amount === null ? null : microcents(amount);
  };
  return {
    productId: row.product_id,
    slug: row.slug,
    name: row.name,
    redeemUrl: row.redeem_url,
    stockMode: row.stock_mode,
    supply: toSupply(row),
    stockCap: row.stock_cap,
    enabled: row.enabled === 1,
    prices: { 1: price(1), 2: price(2), 3: price(3), 4: price(4), 5: price(5) },
    createdAtMs: Number(row.created_at_ms),
  };
}

function toSupply(row: ProductRow): Supply | null {
  const { supplier_id, supplier_product_id, max_unit_cost_microcents } = row;
  if (supplier_id === null || supplier_product_id === null || max_unit_cost_microcents === null) return null;
  return {
    supplierId: supplier_id,
    supplierProductId: supplier_product_id,
    maxUnitCostMicrocents: microcents(max_unit_cost_microcents),
  };
}
