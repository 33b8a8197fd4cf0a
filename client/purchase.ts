import type { OrderingError, PriceChange } from "./ordering-errors.ts";

/** What is to be bought. */
export interface PurchaseRequest {
  readonly productId: string;
  /** 1 to 1000. */
  readonly qty: number;
  /** Buys at this unit price or not at all; USD with at most two decimals. */
  readonly expectedUnitPrice?: string | undefined;
  /** An id of your own for this purchase, 1 to 64 characters and nothing personal; without it, a new UUID. */
  readonly externalOrderId?: string | undefined;
}

/** A code and where it is redeemed: hand both to the user, since the address can change from order to order. */
export interface RedeemableCode {
  readonly code: string;
  readonly redeemUrl: string;
}

/** Bought and charged, once. */
export interface Delivered {
  readonly kind: "delivered";
  readonly orderId: string;
  /** What was paid, as DecimalMoney: use `parseUsd`. */
  readonly unitPrice: string;
  readonly amount: string;
  /** Exactly as many as were ordered. */
  readonly codes: readonly RedeemableCode[];
}

/** Not bought, since the price is another one than expected. `confirmPrice` buys at the actual price. */
export interface PriceChanged extends PriceChange {
  readonly kind: "price_changed";
}

/** Not bought, and not charged. */
export interface Refused {
  readonly kind: "refused";
  readonly error: Exclude<OrderingError["error"], "unreadable_answer">;
  readonly message: string;
  readonly details: unknown;
  /** Whether the same purchase, with its id, may be asked for again when the cause is gone. */
  readonly mayRepeat: boolean;
}

/** How a purchase ended. */
export type Conclusion = Delivered | PriceChanged | Refused;

/**
 * It is not known yet whether it was bought. The purchase stays in the store: `purchase` with its id, or `resumePurchases`,
 * goes on with it. It must not be bought under another id.
 */
export interface Unresolved {
  readonly kind: "unresolved";
  /** `given_up`: not in the time there was. `aborted`: by the caller's signal. `stopped`: asking again is no use now. */
  readonly reason: "given_up" | "aborted" | "stopped";
  /** What came last; null when it was no answer at all. */
  readonly error: OrderingError | null;
}

/** What became of a purchase. */
export type PurchaseOutcome = {
  readonly externalOrderId: string;
  readonly productId: string;
  readonly qty: number;
} & (Conclusion | Unresolved);

/** A purchase as it is stored before it is sent: plain JSON. */
export interface StoredPurchase {
  /** The base URL that it is bought at. */
  readonly baseUrl: string;
  readonly externalOrderId: string;
  readonly productId: string;
  readonly qty: number;
  /** Null to buy at any price. */
  readonly expectedUnitPrice: string | null;
  readonly startedAtMs: number;
  /** Null as long as it may have been sent and its end is not known. */
  readonly conclusion: Conclusion | null;
}

/** Remembers purchases; what it has taken must be there after a crash. May be used by several processes at once. */
export interface PurchaseStore {
  /**
   * Takes a purchase that has no conclusion, unless there is one of its base URL and id already. Resolves when it is
   * safe on disk, with the purchase that is there then, and whether it was there before.
   */
  begin(purchase: StoredPurchase): Promise<{ readonly purchase: StoredPurchase; readonly isNew: boolean }>;
  /** Keeps how it ended. A delivery stays, whatever else comes. */
  conclude(purchase: StoredPurchase, conclusion: Conclusion): Promise<void>;
  /**
   * Forgets how it ended, unless it was delivered, before it is sent again.
   * @returns whether this call did; false when it was open already, so that another user of the store may have sent it.
   */
  reopen(purchase: StoredPurchase): Promise<boolean>;
  find(baseUrl: string, externalOrderId: string): Promise<StoredPurchase | null>;
  /** Those without a conclusion. */
  unfinished(baseUrl: string): Promise<readonly StoredPurchase[]>;
}
