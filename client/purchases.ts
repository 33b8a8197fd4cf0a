import { confirmationOf, isSamePurchase, startPurchase } from "./new-purchase.ts";
import type { OrderingClient } from "./ordering-client.ts";
import { pause } from "./pause.ts";
import type { PurchaseOutcome, PurchaseRequest, PurchaseStore } from "./purchase.ts";
import { createFinisher, outcomeOf } from "./purchase-finisher.ts";

/** An id is in the store already, for another purchase. */
export class PurchaseMismatchError extends Error {
  constructor(externalOrderId: string) {
    super(`The id ${JSON.stringify(externalOrderId)} is stored for another product, quantity or price.`);
    this.name = "PurchaseMismatchError";
  }
}

/** What a call of `purchase` may set. */
export interface PurchaseOptions {
  /** Stops asking; what was sent may still be bought, and the outcome is then `unresolved`. */
  readonly signal?: AbortSignal;
}

/** Buys by the rules of the ordering interface, so that no crash and no fault makes it buy twice or lose codes. */
export interface Purchases {
  /**
   * Stores the purchase, then sends it, again and again under the same id until its outcome is certain or the time is up.
   * With the id of a stored purchase it goes on with that one; what was delivered comes from the store.
   * @throws {RangeError} for a request that the interface cannot take. @throws {PurchaseMismatchError}
   * @throws what the store throws; nothing is sent then.
   */
  purchase(request: PurchaseRequest, options?: PurchaseOptions): Promise<PurchaseOutcome>;
  /**
   * Buys at the actual price what was refused with `price_changed`, under a new id. That id follows from the refused
   * purchase and the price, so that confirming twice buys once.
   */
  confirmPrice(
    changed: Extract<PurchaseOutcome, { kind: "price_changed" }>,
    options?: PurchaseOptions,
  ): Promise<PurchaseOutcome>;
  /** Finishes what was stored and has no conclusion: call it when the program starts. */
  resumePurchases(options?: PurchaseOptions): Promise<PurchaseOutcome[]>;
}

/** How purchases are made. */
export interface PurchasesOptions {
  readonly client: OrderingClient;
  /** Where purchases are kept: `createFileStore(folder)`. */
  readonly store: PurchaseStore;
  /** How long a purchase is repeated before it is given back as `unresolved`; five minutes without it. */
  readonly giveUpAfterMs?: number;
  /** Waits between two attempts; for tests. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const DEFAULT_GIVE_UP_AFTER_MS = 300_000;
const RESUMED_AT_ONCE = 4;

/** Makes purchases with a client and a store. */
export function createPurchases(options: PurchasesOptions): Purchases {
  const { client, store, giveUpAfterMs = DEFAULT_GIVE_UP_AFTER_MS, wait = pause } = options;
  const { baseUrl } = client;
  const { finish, resume } = createFinisher({ client, store, giveUpAfterMs, wait });

  async function purchase(
    request: PurchaseRequest,
    { signal }: PurchaseOptions = {},
  ): Promise<PurchaseOutcome> {
    const wanted = startPurchase(baseUrl, request);
    const { purchase: stored, isNew } = await store.begin(wanted);
    if (!isSamePurchase(stored, wanted)) throw new PurchaseMismatchError(wanted.externalOrderId);
    const { conclusion } = stored;
    if (conclusion === null) return finish(stored, !isNew, signal);
    if (conclusion.kind !== "refused" || !conclusion.mayRepeat) return outcomeOf(stored, conclusion);
    const isReopened = await store.reopen(stored);
    // When another user of the store was faster, that one may have sent it.
    return finish({ ...stored, conclusion: null }, !isReopened, signal);
  }

  return {
    purchase,
    async confirmPrice(changed, options) {
      const refused = await store.find(baseUrl, changed.externalOrderId);
      if (refused?.conclusion?.kind !== "price_changed") {
        throw new RangeError(
          `${JSON.stringify(changed.externalOrderId)} was not refused with price_changed.`,
        );
      }
      return purchase(confirmationOf(refused, refused.conclusion), options);
    },
    async resumePurchases({ signal } = {}) {
      const open = [...(await store.unfinished(baseUrl))];
      const outcomes: PurchaseOutcome[] = [];
      const work = async () => {
        for (let next = open.shift(); next !== undefined; next = open.shift()) {
          outcomes.push(await resume(next, signal));
        }
      };
      await Promise.all(Array.from({ length: RESUMED_AT_ONCE }, work));
      return outcomes;
    },
  };
}
