import { LRUCache } from "lru-cache";
import { createAnswerCache } from "./answer-cache.ts";
import { SupplierUnavailableError } from "./errors.ts";
import type { LookBudget } from "./look-budget.ts";
import type { Quote, QuotePurpose, SupplierAdapter } from "./supplier.ts";

/** How a quote is asked for. */
export interface QuoteOptions {
  /** Asks now, whatever was said some seconds ago. */
  readonly fresh: boolean;
  /** A look may be refused by the supplier's budget of looks. */
  readonly purpose: QuotePurpose;
}

// A fault may be over the next moment, and must not be asked after by every buyer.
const MEMORY = { max: 10_000, ttlMs: 5_000, errorTtlMs: 1_000 };
/** How old an answer may be when there are no looks left for a newer one. */
const STALE_MS = 60_000;
const CATALOG = "catalog";
/** From so many quantities of a product on, those between are answered from others. */
const MANY_QUANTITIES = 3;
/** The quantities that are asked for in place of those between them. */
const RUNGS = [1, 10, 100, 1_000];

export type Quotes = ReturnType<typeof createQuotes>;

/**
 * What one supplier asks and has, at most five seconds old, or a minute when there are no looks left; those who ask for the
 * same at once share one request. When many quantities of a product are asked for, the supplier is asked for few of them:
 * what a smaller and a larger quantity have in common, cost and availability, holds between them.
 */
export function createQuotes(adapter: Pick<SupplierAdapter, "quote" | "catalog">, looks: LookBudget) {
  const quotes = createAnswerCache<Quote>(MEMORY);
  const catalogs = createAnswerCache<ReadonlyMap<string, Quote>>({ ...MEMORY, max: 1 });
  const known = new KnownQuotes();
  const lastCatalog = new LRUCache<string, ReadonlyMap<string, Quote>>({ max: 1, ttl: STALE_MS });

  async function ask(productId: string, qty: number, { fresh, purpose }: QuoteOptions): Promise<Quote> {
    // A purchase does not share the answer to a look, for which less is done.
    const key = `${purpose}\0${qty}\0${productId}`;
    if (purpose === "look" && !quotes.has(key) && !looks.take()) throw new NoLooksLeftError();
    known.noteAsked(productId, qty);
    const answer = async () => {
      const quote = await adapter.quote(productId, qty, purpose);
      known.note(productId, qty, quote);
      return quote;
    };
    return quotes.get(key, answer, { fresh });
  }

  /** Asks for quantities around it, as long as they say nothing of it, when many have been asked for. */
  async function look(productId: string, qty: number): Promise<Quote> {
    const options: QuoteOptions = { fresh: false, purpose: "look" };
    if (known.askedLately(productId) >= MANY_QUANTITIES) {
      for (const rung of rungsAround(qty)) {
        await ask(productId, rung, options);
        const shared = known.around(productId, qty, MEMORY.ttlMs);
        if (shared !== null) return shared;
      }
    }
    return ask(productId, qty, options);
  }

  return {
    /** @throws {SupplierUnavailableError} also when there are no looks left and nothing is known. */
    async quote(productId: string, qty: number, options: QuoteOptions): Promise<Quote> {
      if (options.fresh) return ask(productId, qty, options);
      const shared = known.around(productId, qty, MEMORY.ttlMs);
      if (shared !== null) return shared;
      if (options.purpose === "purchase") return ask(productId, qty, options);
      return orStale(look(productId, qty), () => known.around(productId, qty, STALE_MS));
    },

    async catalog(): Promise<ReadonlyMap<string, Quote>> {
      if (!catalogs.has(CATALOG) && !looks.take()) {
        const stale = lastCatalog.get(CATALOG);
        if (stale === undefined) throw new NoLooksLeftError();
        return stale;
      }
      return catalogs.get(CATALOG, async () => {
        const catalog = await adapter.catalog();
        lastCatalog.set(CATALOG, catalog);
        return catalog;
      });
    },
  };
}

/** What was known before where there are no looks left. */
async function orStale(looking: Promise<Quote>, stale: () => Quote | null): Promise<Quote> {
  try {
    return await looking;
  } catch (error) {
    const before = error instanceof NoLooksLeftError ? stale() : null;
    if (before === null) throw error;
    return before;
  }
}

class NoLooksLeftError extends SupplierUnavailableError {}

function rungsAround(qty: number): number[] {
  const below = RUNGS.findLast((rung) => rung <= qty);
  const above = RUNGS.find((rung) => rung >= qty);
  return [below, above].filter((rung) => rung !== undefined);
}

interface KnownQuote {
  readonly qty: number;
  readonly quote: Quote;
  readonly atMs: number;
}

/** The last quotes of each product, by their quantities. */
class KnownQuotes {
  readonly #products = new LRUCache<string, Map<number, KnownQuote>>({ max: 1_000, ttl: STALE_MS });
  readonly #asked = new LRUCache<string, Set<number>>({ max: 1_000, ttl: MEMORY.ttlMs });

  noteAsked(productId: string, qty: number): void {
    const asked = this.#asked.get(productId);
    if (asked === undefined) this.#asked.set(productId, new Set([qty]));
    else asked.add(qty);
  }

  /** How many quantities were asked for in the last seconds. */
  askedLately(productId: string): number {
    return this.#asked.get(productId)?.size ?? 0;
  }

  note(productId: string, qty: number, quote: Quote): void {
    const known = this.#products.get(productId) ?? new Map();
    known.set(qty, { qty, quote, atMs: performance.now() });
    this.#products.set(productId, known);
  }

  /** What holds for a quantity, since it holds for one that is not larger and for one that is not smaller. */
  around(productId: string, qty: number, maxAgeMs: number): Quote | null {
    const recent = this.#recent(productId, maxAgeMs);
    const smaller = recent.filter((known) => known.qty <= qty).reduce<KnownQuote | null>(largest, null);
    const larger = recent.filter((known) => known.qty >= qty).reduce<KnownQuote | null>(smallest, null);
    if (smaller === null || larger === null) return null;
    return isSame(smaller.quote, larger.quote) ? larger.quote : null;
  }

  #recent(productId: string, maxAgeMs: number): KnownQuote[] {
    const known = this.#products.get(productId)?.values() ?? [];
    return [...known].filter(({ atMs }) => atMs > performance.now() - maxAgeMs);
  }
}

function largest(one: KnownQuote | null, other: KnownQuote): KnownQuote {
  return one !== null && one.qty > other.qty ? one : other;
}

function smallest(one: KnownQuote | null, other: KnownQuote): KnownQuote {
  return one !== null && one.qty < other.qty ? one : other;
}

function isSame(one: Quote, other: Quote): boolean {
  return one.unitCostMicrocents === other.unitCostMicrocents && one.available === other.available;
}
