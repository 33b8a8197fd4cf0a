import type { Level } from "../accounts/level.ts";
import type { Clock } from "../clock.ts";
import { batchedRead, sharedRead } from "../database/batched-read.ts";
import type { Database } from "../database/database.ts";
import { isDuplicateKey } from "../database/faults.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../errors.ts";
import { remainingStock } from "../stock/stock-store.ts";
import type { Suppliers } from "../suppliers/suppliers.ts";
import { Catalog, type StockedProduct } from "./catalog.ts";
import { type Offer, offerFromStock, offerOnDemand } from "./offer.ts";
import {
  checkNewProduct,
  checkPrices,
  checkRedeemUrl,
  checkSupply,
  DEFAULT_STOCK_CAP,
  isProductId,
  type LevelPrices,
  type NewProduct,
  NO_PRICES,
  type PricedProduct,
  type Product,
  priceFor,
  redeemUrlMissing,
  type Supply,
} from "./product.ts";
import {
  findProducts,
  insertProduct,
  listProducts,
  updateEnabled,
  updatePrices,
  updateRedeemUrl,
  updateSupply,
} from "./product-store.ts";

/** What the catalog needs. */
interface Options {
  readonly database: Database;
  readonly clock: Clock;
  readonly suppliers: Pick<Suppliers, "get" | "quote" | "catalog">;
}

export type Products = ReturnType<typeof createProducts>;

/** The catalog: what an operator keeps and what a buyer reads. */
export function createProducts({ database, clock, suppliers }: Options) {
  // Every buyer reads the same catalog, so concurrent readers share one reading of it.
  const readCatalog = sharedRead(async () => {
    const [products, remaining] = await Promise.all([listProducts(database), remainingStock(database)]);
    const stocked = products.map((product): StockedProduct => {
      return { product, remaining: product.supply === null ? (remaining.get(product.productId) ?? 0) : null };
    });
    return new Catalog(stocked, suppliers);
  });

  const readProduct = batchedRead((productIds: readonly string[]) => findProducts(database, productIds));
  const readRemaining = batchedRead(async (productIds: readonly string[]) => {
    const remaining = await remainingStock(database, productIds);
    return productIds.map((productId) => remaining.get(productId) ?? 0);
  });

  async function get(productId: string): Promise<Product> {
    const product = isProductId(productId) ? await readProduct(productId) : null;
    if (product === null) throw new NotFoundError("product", productId);
    return product;
  }

  /** A product at a level's price. @throws {NotFoundError} it is not sold to that level. */
  async function priced(productId: string, level: Level): Promise<PricedProduct> {
    const found = priceFor(await get(productId), level);
    if (found === null) throw new NotFoundError("product", productId);
    return found;
  }

  async function changed(productId: string, found: Promise<boolean>): Promise<Product> {
    if (!(await found)) throw new NotFoundError("product", productId);
    return get(productId);
  }

  return {
    /**
     * Adds a product that sells imported codes or, with a supply, buys them on demand. It has no price yet, so it is
     * sold to nobody.
     * @throws {InvalidInputError} @throws {ConflictError} the id is taken. @throws {NotFoundError} the supplier is none.
     */
    async create(request: NewProduct): Promise<Product> {
      checkNewProduct(request);
      if (request.supply) await suppliers.get(request.supply.supplierId);
      const product: Product = {
        productId: request.productId,
        slug: request.slug ?? null,
        name: request.name,
        redeemUrl: request.redeemUrl ?? null,
        stockMode: request.supply ? "on_demand" : "inventory",
        supply: request.supply ?? null,
        stockCap: request.stockCap ?? DEFAULT_STOCK_CAP,
        enabled: true,
        prices: NO_PRICES,
        createdAtMs: clock(),
      };
      try {
        await insertProduct(database, product);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new ConflictError(`There is a product ${product.productId} already.`, {
          productId: product.productId,
        });
      }
      return product;
    },

    /** Sets the prices of the levels that are given (null: not sold to it). @throws {NotFoundError} @throws {InvalidInputError} */
    async setPrices(productId: string, prices: Partial<LevelPrices>): Promise<Product> {
      checkPrices(prices);
      if (Object.keys(prices).length === 0)
        throw new InvalidInputError("Give the price of at least one level.");
      return changed(productId, updatePrices(database, productId, prices));
    },

    /** Takes a product in or out of sale. @throws {NotFoundError} */
    setEnabled: (productId: string, enabled: boolean): Promise<Product> =>
      changed(productId, updateEnabled(database, productId, enabled)),

    /**
     * Orders from now on carry this URL; null: the supplier's, for an on-demand product only.
     * @throws {NotFoundError} @throws {InvalidInputError}
     */
    async setRedeemUrl(productId: string, redeemUrl: string | null): Promise<Product> {
      if (redeemUrl !== null) checkRedeemUrl(redeemUrl);
      else if ((await get(productId)).supply === null) throw redeemUrlMissing();
      return changed(productId, updateRedeemUrl(database, productId, redeemUrl));
    },

    /**
     * Changes where an on-demand product is bought, or at what cost, for orders from now on; what is not given stays.
     * @throws {NotFoundError} no such product or supplier. @throws {ConflictError} it sells imported codes.
     * @throws {InvalidInputError}
     */
    async setSupply(productId: string, changes: Partial<Supply>): Promise<Product> {
      if (Object.keys(changes).length === 0)
        throw new InvalidInputError("Give at least one thing to change.");
      const { supply } = await get(productId);
      if (supply === null) {
        throw new ConflictError(`The product ${productId} sells imported codes and is bought from nobody.`, {
          productId,
        });
      }
      checkSupply({ ...supply, ...changes });
      if (changes.supplierId !== undefined) await suppliers.get(changes.supplierId);
      return changed(productId, updateSupply(database, productId, changes));
    },

    /** @throws {NotFoundError} */
    get,

    /** One product with what is left of it; also when it is not for sale. Asks no supplier. @throws {NotFoundError} */
    async stocked(productId: string): Promise<StockedProduct> {
      const [product, remaining] = await Promise.all([get(productId), readRemaining(productId)]);
      return { product, remaining: product.supply === null ? remaining : null };
    },

    /** Every product with what is left of it, by id; also those that are not for sale. Asks no supplier. */
    async list(): Promise<readonly StockedProduct[]> {
      return (await readCatalog()).entries;
    },

    /** What is for sale to an account of that level, by product id; see {@link Catalog.offers}. */
    async offers(level: Level): Promise<readonly Offer[]> {
      return (await readCatalog()).offers(level);
    },

    priced,

    /**
     * That many codes of one product as they are offered to an account of that level.
     * @throws {NotFoundError} it is not sold to it. @throws {SupplierUnavailableError} @throws {SupplierNotConfiguredError}
     */
    async offer(productId: string, level: Level, qty = 1): Promise<Offer> {
      const [found, remaining] = await Promise.all([priced(productId, level), readRemaining(productId)]);
      const { supply } = found.product;
      if (supply === null) return offerFromStock(found, remaining, qty);
      const { supplierId, supplierProductId } = supply;
      const quote = await suppliers.quote(supplierId, supplierProductId, qty, { fresh: false });
      return offerOnDemand(found, supply, quote);
    },
  };
}
