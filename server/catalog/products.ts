import type { Level } from "../accounts/level.ts";
import type { Clock } from "../clock.ts";
import { batchedRead, sharedRead } from "../database/batched-read.ts";
import type { Database } from "../database/database.ts";
import { isDuplicateKey } from "../database/faults.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../errors.ts";
import { remainingStock } from "../stock/stock-store.ts";
import {
  checkNewProduct,
  checkPrices,
  checkRedeemUrl,
  DEFAULT_STOCK_CAP,
  isProductId,
  type LevelPrices,
  type NewProduct,
  NO_PRICES,
  type Offer,
  type PricedProduct,
  type Product,
  priceFor,
} from "./product.ts";
import {
  findProducts,
  insertProduct,
  listProducts,
  updateEnabled,
  updatePrices,
  updateRedeemUrl,
} from "./product-store.ts";

export type Products = ReturnType<typeof createProducts>;

/** The catalog: what an operator keeps and what a buyer reads. */
export function createProducts({ database, clock }: { database: Database; clock: Clock }) {
  // Every buyer reads the same catalog, so concurrent readers share one reading of it.
  const readCatalog = sharedRead(async () => {
    const [products, remaining] = await Promise.all([listProducts(database), remainingStock(database)]);
    return new Catalog(
      products.map((product) => ({ product, remaining: remaining.get(product.productId) ?? 0 })),
    );
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
     * @throws {InvalidInputError} @throws {ConflictError} the id is taken.
     */
    async create(request: NewProduct): Promise<Product> {
      checkNewProduct(request);
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

    /** Orders from now on carry this URL. @throws {NotFoundError} @throws {InvalidInputError} */
    async setRedeemUrl(productId: string, redeemUrl: string): Promise<Product> {
      checkRedeemUrl(redeemUrl);
      return changed(productId, updateRedeemUrl(database, productId, redeemUrl));
    },

    /** @throws {NotFoundError} */
    get,

    /** Every product with what is left of it, by id; also those that are not for sale. */
    async list(): Promise<readonly StockedProduct[]> {
      return (await readCatalog()).entries;
    },

    /** What is for sale to an account of that level, by product id. */
    async offers(level: Level): Promise<readonly Offer[]> {
      return (await readCatalog()).offers(level);
    },

    priced,

    /** One product as it is offered to an account of that level. @throws {NotFoundError} it is not sold to it. */
    async offer(productId: string, level: Level): Promise<Offer> {
      const [product, remaining] = await Promise.all([priced(productId, level), readRemaining(productId)]);
      return { ...product, remaining };
    },
  };
}

type StockedProduct = Pick<Offer, "product" | "remaining">;

/** One reading of the catalog, which works out a level's offers once for all who share the reading. */
class Catalog {
  readonly entries: readonly StockedProduct[];
  readonly #offers = new Map<Level, readonly Offer[]>();

  constructor(entries: readonly StockedProduct[]) {
    this.entries = entries;
  }

  offers(level: Level): readonly Offer[] {
    const known = this.#offers.get(level);
    if (known !== undefined) return known;
    const offers = this.entries.flatMap(({ product, remaining }) => {
      const priced = priceFor(product, level);
      return priced === null ? [] : [{ ...priced, remaining }];
    });
    this.#offers.set(level, offers);
    return offers;
  }
}
