import { LRUCache } from "lru-cache";
import { DomainError } from "../errors.ts";
import { SupplierNotConfiguredError } from "./errors.ts";
import type { Quote } from "./supplier.ts";
import type { Connected } from "./suppliers.ts";

const MAX_ENTRIES = 10_000;
const FRESH_MS = 5_000;
// A fault may be over the next moment, and must not be asked after by every buyer.
const FAULT_FRESH_MS = 1_000;

type Catalog = ReadonlyMap<string, Quote>;

/** What suppliers ask and have, at most five seconds old; those who ask for the same at once share one request. */
export function createQuotes(adapterOf: (supplierId: string) => Promise<Connected>) {
  const quotes = new LRUCache<string, Promise<Quote>>({ max: MAX_ENTRIES, ttl: FRESH_MS });
  const catalogs = new LRUCache<string, Promise<Catalog>>({ max: MAX_ENTRIES, ttl: FRESH_MS });

  async function activeAdapter(supplierId: string) {
    const { supplier, adapter } = await adapterOf(supplierId);
    if (supplier.status === "disabled") throw new SupplierNotConfiguredError();
    return adapter;
  }

  return {
    /**
     * What the supplier asks for one code when `qty` are bought, and whether it has them.
     * @param fresh asks now, whatever was said some seconds ago.
     * @throws {SupplierUnavailableError} @throws {SupplierNotConfiguredError}
     */
    quote(
      supplierId: string,
      supplierProductId: string,
      qty: number,
      { fresh }: { fresh: boolean },
    ): Promise<Quote> {
      const ask = async () => (await activeAdapter(supplierId)).quote(supplierProductId, qty);
      return kept(quotes, `${supplierId}\0${supplierProductId}\0${qty}`, ask, fresh);
    },

    /** The same for one code of everything that the supplier sells. Throws as `quote` does. */
    catalog: (supplierId: string): Promise<Catalog> =>
      kept(catalogs, supplierId, async () => (await activeAdapter(supplierId)).catalog(), false),
  };
}

function kept<T>(
  cache: LRUCache<string, Promise<T>>,
  key: string,
  ask: () => Promise<T>,
  fresh: boolean,
): Promise<T> {
  const known = fresh ? undefined : cache.get(key);
  if (known !== undefined) return known;
  const asked = ask();
  cache.set(key, asked);
  asked.catch((error: unknown) => {
    if (cache.peek(key) !== asked) return;
    if (error instanceof DomainError) cache.set(key, asked, { ttl: FAULT_FRESH_MS });
    else cache.delete(key);
  });
  return asked;
}
