import type { Level } from "../accounts/level.ts";
import { SupplierNotConfiguredError, SupplierUnavailableError } from "../suppliers/errors.ts";
import type { Quote } from "../suppliers/supplier.ts";
import type { Suppliers } from "../suppliers/suppliers.ts";
import { type Offer, offerFromStock, offerOnDemand, offerWithoutQuote, type SupplierFault } from "./offer.ts";
import { type PricedProduct, type Product, priceFor } from "./product.ts";

/** A product with how many codes are in stock: null for an on-demand product, since only its supplier knows. */
export interface StockedProduct {
  readonly product: Product;
  readonly remaining: number | null;
}

type Listed = PricedProduct & StockedProduct;
type SupplierAnswer = ReadonlyMap<string, Quote> | SupplierFault;

/** One reading of the catalog, which works out a level's offers once for all who share the reading. */
export class Catalog {
  readonly entries: readonly StockedProduct[];
  readonly #suppliers: Pick<Suppliers, "catalog">;
  readonly #offers = new Map<Level, readonly Offer[] | Promise<readonly Offer[]>>();

  constructor(entries: readonly StockedProduct[], suppliers: Pick<Suppliers, "catalog">) {
    this.entries = entries;
    this.#suppliers = suppliers;
  }

  /**
   * What is for sale at a level. Suppliers are asked where something of theirs is; one that cannot be asked makes its
   * own products unavailable, and the whole list only where there is nothing else in it.
   * @throws {SupplierUnavailableError} @throws {SupplierNotConfiguredError}
   */
  offers(level: Level): readonly Offer[] | Promise<readonly Offer[]> {
    const known = this.#offers.get(level);
    if (known !== undefined) return known;
    const listed = this.entries.flatMap(({ product, remaining }): Listed[] => {
      const priced = priceFor(product, level);
      return priced === null ? [] : [{ ...priced, remaining }];
    });
    const offers = listed.some(({ product }) => product.supply !== null)
      ? liveOffers(this.#suppliers, listed)
      : listed.map((entry) => offerOf(entry, NO_ANSWERS));
    this.#offers.set(level, offers);
    return offers;
  }
}

const NO_ANSWERS: ReadonlyMap<string, SupplierAnswer> = new Map();

async function liveOffers(
  suppliers: Pick<Suppliers, "catalog">,
  listed: readonly Listed[],
): Promise<readonly Offer[]> {
  const supplierIds = new Set(listed.flatMap(({ product }) => product.supply?.supplierId ?? []));
  const asked = [...supplierIds].map(async (id) => [id, await ask(suppliers, id)] as const);
  const answers = new Map(await Promise.all(asked));
  const faults = listed.flatMap(({ product: { supply } }) => {
    const answer = supply === null ? undefined : answers.get(supply.supplierId);
    return isFault(answer) ? [answer] : [];
  });
  const [anyFault] = faults;
  if (anyFault !== undefined && faults.length === listed.length) {
    // As long as one of them may pass by itself, it is worth while to ask again.
    throw faults.find((fault) => fault instanceof SupplierUnavailableError) ?? anyFault;
  }
  return listed.map((entry) => offerOf(entry, answers));
}

async function ask(suppliers: Pick<Suppliers, "catalog">, supplierId: string): Promise<SupplierAnswer> {
  return suppliers.catalog(supplierId).catch((error: unknown) => {
    if (isFault(error)) return error;
    throw error;
  });
}

function isFault(answer: unknown): answer is SupplierFault {
  return answer instanceof SupplierUnavailableError || answer instanceof SupplierNotConfiguredError;
}

/** An offer of one code. */
function offerOf({ remaining, ...priced }: Listed, answers: ReadonlyMap<string, SupplierAnswer>): Offer {
  const { supply } = priced.product;
  if (supply === null) return offerFromStock(priced, remaining ?? 0, 1);
  const answer = answers.get(supply.supplierId);
  if (isFault(answer)) return offerWithoutQuote(priced, answer);
  return offerOnDemand(priced, supply, answer?.get(supply.supplierProductId));
}
