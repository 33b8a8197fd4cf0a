import type { OrderId } from "../ids.ts";
import type { Microcents } from "../money/microcents.ts";

/** `disabled`: nothing new is bought from it; what was begun is still asked after. */
export type SupplierStatus = "active" | "disabled";

/** A service that codes are bought from, as the operator keeps it. Its API key is stored apart and encrypted. */
export interface Supplier {
  /** The operator's own name for it: lower-case letters, digits and dashes. */
  readonly supplierId: string;
  /** Its ordering interface with the base path, e.g. `https://codes.example/shop/v1`. */
  readonly baseUrl: string;
  readonly status: SupplierStatus;
  readonly createdAtMs: number;
}

/** What a supplier asks and has at the moment of the answer. */
export interface Quote {
  readonly unitCostMicrocents: Microcents;
  /** Whether it can deliver the quantity that was asked for. */
  readonly available: boolean;
}

/** What a quote is for: purchases come first, and looks are given up where they would stand in their way. */
export type QuotePurpose = "purchase" | "look";

/** A purchase that is asked for. The same `requestId` again means the same purchase, however often it is sent. */
export interface PurchaseRequest {
  readonly requestId: OrderId;
  readonly supplierProductId: string;
  readonly qty: number;
  /** The cost that was agreed to; at another one the supplier refuses. Whole cents. */
  readonly unitCostMicrocents: Microcents;
}

/** A purchase that the supplier has made: exactly as many codes as were asked for, all different. */
export interface SuppliedCodes {
  readonly supplierOrderId: string;
  readonly unitCostMicrocents: Microcents;
  readonly codes: readonly string[];
  /** Where the supplier says that the codes are redeemed. */
  readonly redeemUrl: string | null;
}

/**
 * Why a request bought nothing, for certain:
 * - `unreachable`: it was never sent, or turned away before the supplier looked at it; it may be sent again.
 * - `out_of_stock`: the supplier has too few codes now.
 * - `cost_changed`: the supplier asks another cost than agreed, or does not sell until it has a new price.
 * - `not_accepted`: the supplier does not accept us (key, funds, caps, product); a person must act.
 * - `closed`: the request id stands for an order that is closed there; it can never be bought under this id.
 */
export type RefusalReason = "unreachable" | "out_of_stock" | "cost_changed" | "not_accepted" | "closed";

/**
 * How sending a purchase ended. `unknown`: the supplier may have made it or may yet make it. `answered` tells whether
 * nothing of it is under way any more: every sending was answered with an error of the contract, so that what a look-up
 * says holds.
 */
export type PurchaseOutcome =
  | { readonly kind: "delivered"; readonly supplied: SuppliedCodes }
  | { readonly kind: "refused"; readonly reason: RefusalReason; readonly message: string }
  | { readonly kind: "unknown"; readonly answered: boolean; readonly message: string };

/**
 * What a supplier knows of a request id. `processing`: it is still busy with it. `retryable`: it has confirmed that
 * nothing was bought. `none`: it has never heard of it (a request under way may still arrive). `closed`: nothing was
 * bought, or it was refunded, and the id is spent. `unknown`: it could not be asked.
 */
export type LookUpOutcome =
  | { readonly kind: "delivered"; readonly supplied: SuppliedCodes }
  | { readonly kind: "processing" | "retryable" | "none" | "closed" }
  | { readonly kind: "unknown"; readonly message: string };

/** One order in the supplier's own list, without codes. */
export interface SupplierOrder {
  /** What we called it: the order's id here, unless another program orders with the same account. */
  readonly requestId: string;
  readonly supplierOrderId: string;
  readonly status: "processing" | "retryable" | "delivered" | "failed" | "refunded";
  readonly amountMicrocents: Microcents;
  readonly createdAtMs: number;
}

/** What the shop can still spend at a supplier. `unknown`: it does not say; the message tells why. */
export type BalanceOutcome =
  | { readonly kind: "known"; readonly availableMicrocents: Microcents }
  | { readonly kind: "unknown"; readonly message: string };

/** One supplier, whatever protocol it speaks. Only `quote`, `catalog` and `history` throw. */
export interface SupplierAdapter {
  /** @throws {SupplierUnavailableError} @throws {SupplierNotConfiguredError} */
  quote(supplierProductId: string, qty: number, purpose?: QuotePurpose): Promise<Quote>;
  /** Quotes for one code of everything that it sells, by its product ids. Throws as `quote` does. */
  catalog(): Promise<ReadonlyMap<string, Quote>>;
  /** Sends a purchase. Never throws: whatever happens is an outcome. */
  purchase(request: PurchaseRequest): Promise<PurchaseOutcome>;
  /** Asks what became of a request id; changes nothing. Never throws. */
  lookUp(requestId: OrderId, qty: number): Promise<LookUpOutcome>;
  /** Asks whether it answers and accepts us, and what we have there. Never throws. */
  balance(): Promise<BalanceOutcome>;
  /** Its orders that were created at this moment or later, newest first. @throws {SupplierUnavailableError} @throws {SupplierNotConfiguredError} */
  history(sinceMs: number): AsyncIterable<SupplierOrder>;
}
