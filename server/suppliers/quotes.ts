import { createAnswerCache } from "./answer-cache.ts";
import type { Quote, SupplierAdapter } from "./supplier.ts";

// A fault may be over the next moment, and must not be asked after by every buyer.
const MEMORY = { max: 10_000, ttlMs: 5_000, errorTtlMs: 1_000 };
const CATALOG = "catalog";

export type Quotes = ReturnType<typeof createQuotes>;

/** What one supplier asks and has, at most five seconds old; those who ask for the same at once share one request. */
export function createQuotes(adapter: Pick<SupplierAdapter, "quote" | "catalog">) {
  const quotes = createAnswerCache<Quote>(MEMORY);
  const catalogs = createAnswerCache<ReadonlyMap<string, Quote>>({ ...MEMORY, max: 1 });
  return {
    quote: (supplierProductId: string, qty: number, { fresh }: { fresh: boolean }): Promise<Quote> =>
      quotes.get(`${qty}\0${supplierProductId}`, () => adapter.quote(supplierProductId, qty), { fresh }),
    catalog: (): Promise<ReadonlyMap<string, Quote>> => catalogs.get(CATALOG, () => adapter.catalog()),
  };
}
