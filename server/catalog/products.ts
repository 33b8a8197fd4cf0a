import type { Level } from "../accounts/level.ts";
import { batchedRead, batchedSingleRead } from "../database/batched-read.ts";
import type { Database } from "../database/database.ts";
import { NotFoundError } from "../errors.ts";
import { remainingStock } from "../stock/stock-store.ts";
import type { Suppliers } from "../suppliers/suppliers.ts";
import { Catalog, type StockedProduct } from "./catalog.ts";
import { type Offer, offerFromStock, offerOnDemand, withoutStock } from "./offer.ts";
import { isProductId, type PricedProduct, type Product, priceFor } from "./product.ts";
import { createProductRecords, type ProductRecordsDependencies } from "./product-records.ts";
import { findProducts, listProducts } from "./product-store.ts";

/** What the catalog needs. */
export interface ProductsDependencies extends Omit<ProductRecordsDependencies, "getProduct"> {
  readonly suppliers: Pick<Suppliers, "get" | "quote" | "catalog">;
  /** Whether anything is sold at all. */
  readonly selling: boolean;
}

export type Products = ReturnType<typeof createProducts>;

/** The catalog: what an operator keeps and what a buyer reads. */
export function createProducts(dependencies: ProductsDependencies) {
  const { database, suppliers, selling } = dependencies;
  const reader = createProductReader(database);
  // Every buyer reads the same catalog, so concurrent readers share one reading of it.
  const readCatalog = batchedSingleRead(async () => new Catalog(await readStocked(database), suppliers));
  return {
    ...createProductRecords({ ...dependencies, getProduct: reader.get }),

    /** @throws {NotFoundError} */
    get: reader.get,

    /** One product with what is left of it; also when it is not for sale. Asks no supplier. @throws {NotFoundError} */
    async stocked(productId: string): Promise<StockedProduct> {
      const [product, remaining] = await Promise.all([reader.get(productId), reader.remaining(productId)]);
      return { product, remaining: product.supply === null ? remaining : null };
    },

    /** Every product with what is left of it, by id; also those that are not for sale. Asks no supplier. */
    async list(): Promise<readonly StockedProduct[]> {
      return (await readCatalog()).entries;
    },

    /** What is for sale to an account of that level, by product id; see {@link Catalog.offers}. */
    async offers(level: Level): Promise<readonly Offer[]> {
      const offers = await (await readCatalog()).offers(level);
      return selling ? offers : offers.map(withoutStock);
    },

    /** A product at a level's price. @throws {NotFoundError} it is not sold to that level. */
    priced: reader.priced,

    /**
     * That many codes of one product as they are offered to an account of that level.
     * @throws {NotFoundError} it is not sold to it. @throws {SupplierUnavailableError} @throws {SupplierNotConfiguredError}
     */
    async offer(productId: string, level: Level, qty = 1): Promise<Offer> {
      const [found, remaining] = await Promise.all([
        reader.priced(productId, level),
        reader.remaining(productId),
      ]);
      if (!selling) return withoutStock({ ...found, remaining, status: "available" });
      const { supply } = found.product;
      if (supply === null) return offerFromStock(found, remaining, qty);
      const { supplierId, supplierProductId } = supply;
      const options = { fresh: false, purpose: "look" } as const;
      const quote = await suppliers.quote(supplierId, supplierProductId, qty, options);
      return offerOnDemand(found, supply, quote);
    },
  };
}

/**
 * Reads single products; concurrent readers share the reading. The database refuses to look for a text that no id can be, and so
 * would fail all who share it.
 */
function createProductReader(database: Database) {
  const read = batchedRead((productIds: readonly string[]) => findProducts(database, productIds));
  const readRemaining = batchedRead(async (productIds: readonly string[]) => {
    const left = await remainingStock(database, productIds);
    return productIds.map((productId) => left.get(productId) ?? 0);
  });

  async function get(productId: string): Promise<Product> {
    const product = isProductId(productId) ? await read(productId) : null;
    if (product === null) throw new NotFoundError("product", productId);
    return product;
  }

  return {
    get,
    /** How many codes are in stock. */
    remaining: async (productId: string): Promise<number> =>
      isProductId(productId) ? readRemaining(productId) : 0,
    async priced(productId: string, level: Level): Promise<PricedProduct> {
      const found = priceFor(await get(productId), level);
      if (found === null) throw new NotFoundError("product", productId);
      return found;
    },
  };
}

async function readStocked(database: Database): Promise<StockedProduct[]> {
  const [products, remaining] = await Promise.all([listProducts(database), remainingStock(database)]);
  return products.map((product) => ({
    product,
    remaining: product.supply === null ? (remaining.get(product.productId) ?? 0) : null,
  }));
}
