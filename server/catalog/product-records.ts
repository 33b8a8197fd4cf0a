import { LEVELS } from "../accounts/level.ts";
import type { Operation } from "../actions/action.ts";
import { recordAction, recordedChange } from "../actions/record-action.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { isDuplicateKey } from "../database/faults.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../errors.ts";
import type { Suppliers } from "../suppliers/suppliers.ts";
import {
  checkNewProduct,
  checkPrices,
  checkRedeemUrl,
  checkSupply,
  type LevelPrices,
  type NewProduct,
  newProduct,
  type Product,
  redeemUrlMissing,
  type Supply,
} from "./product.ts";
import {
  insertProduct,
  lockProduct,
  updateEnabled,
  updatePrices,
  updateRedeemUrl,
  updateSupply,
} from "./product-store.ts";

/** What keeping products needs. */
export interface ProductRecordsDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly suppliers: Pick<Suppliers, "get">;
  /** A product as it is now. @throws {NotFoundError} */
  readonly getProduct: (productId: string) => Promise<Product>;
}

/** The products as the operator keeps them. */
export function createProductRecords(dependencies: ProductRecordsDependencies) {
  return {
    /**
     * Adds a product that sells imported codes or, with a supply, buys them on demand. It has no price yet, so it is
     * not sold.
     * @throws {InvalidInputError} @throws {ConflictError} the id is taken. @throws {NotFoundError} the supplier is none.
     */
    create: (request: NewProduct): Promise<Product> => create(dependencies, request),

    /** Sets the prices of the levels that are given (null: not sold to it). @throws {NotFoundError} @throws {InvalidInputError} */
    async setPrices(productId: string, prices: Partial<LevelPrices>): Promise<Product> {
      checkPrices(prices);
      if (Object.keys(prices).length === 0)
        throw new InvalidInputError("Give the price of at least one level.");
      return changed(dependencies, productId, "setProductPrices", (tx) =>
        updatePrices(tx, productId, prices),
      );
    },

    /** Takes a product in or out of sale. @throws {NotFoundError} */
    setEnabled: (productId: string, enabled: boolean): Promise<Product> =>
      changed(dependencies, productId, enabled ? "enableProduct" : "disableProduct", (tx) =>
        updateEnabled(tx, productId, enabled),
      ),

    /**
     * Orders from now on carry this URL; null: the supplier's, for an on-demand product only.
     * @throws {NotFoundError} @throws {InvalidInputError}
     */
    async setRedeemUrl(productId: string, redeemUrl: string | null): Promise<Product> {
      if (redeemUrl !== null) checkRedeemUrl(redeemUrl);
      else if ((await dependencies.getProduct(productId)).supply === null) throw redeemUrlMissing();
      return changed(dependencies, productId, "setProductRedeemUrl", (tx) =>
        updateRedeemUrl(tx, productId, redeemUrl),
      );
    },

    /**
     * Changes where an on-demand product is bought, or at what cost, for orders from now on; what is not given stays.
     * @throws {NotFoundError} no such product or supplier. @throws {ConflictError} it sells imported codes.
     * @throws {InvalidInputError}
     */
    setSupply: (productId: string, changes: Partial<Supply>): Promise<Product> =>
      setSupply(dependencies, productId, changes),
  };
}

async function create(
  { database, clock, suppliers }: ProductRecordsDependencies,
  request: NewProduct,
): Promise<Product> {
  checkNewProduct(request);
  if (request.supply) await suppliers.get(request.supply.supplierId);
  const product = newProduct(request, clock());
  try {
    await transaction(database, async (tx) => {
      await insertProduct(tx, product);
      await recordAction(tx, {
        operation: "createProduct",
        targetId: product.productId,
        after: recorded(product),
      });
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new ConflictError(`There is a product ${product.productId} already.`, {
      productId: product.productId,
    });
  }
  return product;
}

async function setSupply(
  dependencies: ProductRecordsDependencies,
  productId: string,
  changes: Partial<Supply>,
): Promise<Product> {
  const { suppliers, getProduct } = dependencies;
  if (Object.keys(changes).length === 0) throw new InvalidInputError("Give at least one thing to change.");
  const { supply } = await getProduct(productId);
  if (supply === null) {
    throw new ConflictError(`The product ${productId} sells imported codes and has no supplier.`, {
      productId,
    });
  }
  checkSupply({ ...supply, ...changes });
  if (changes.supplierId !== undefined) await suppliers.get(changes.supplierId);
  return changed(dependencies, productId, "setProductSupply", (tx) => updateSupply(tx, productId, changes));
}

async function changed(
  { database, getProduct }: ProductRecordsDependencies,
  productId: string,
  operation: Operation,
  change: (tx: Transaction) => Promise<boolean>,
): Promise<Product> {
  const isFound = await transaction(database, (tx) =>
    recordedChange(
      tx,
      { operation, targetId: productId },
      {
        read: async () => recorded(await lockProduct(tx, productId)),
        change: () => change(tx),
      },
    ),
  );
  if (!isFound) throw new NotFoundError("product", productId);
  return getProduct(productId);
}

/** A product as its actions are recorded: each level's price by itself. */
function recorded(product: Product | null): object | null {
  if (product === null) return null;
  const { prices, ...rest } = product;
  return { ...rest, ...Object.fromEntries(LEVELS.map((level) => [`priceOfLevel${level}`, prices[level]])) };
}
