import type { KeyObject } from "node:crypto";
import type { Products } from "../catalog/products.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import type { SuppliedCodes } from "../suppliers/supplier.ts";
import type { Suppliers } from "../suppliers/suppliers.ts";
import type { Order } from "./order.ts";
import type { DeliveryColumns } from "./order-store.ts";
import type { Purchase, PurchaseTimes } from "./purchase.ts";
import type { PurchasedCode } from "./purchase-store.ts";
import type { OrderRequest } from "./rules.ts";

/** What completing purchases needs. */
export interface PurchaseContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly products: Pick<Products, "get">;
  readonly suppliers: Pick<Suppliers, "adapterOf">;
  readonly cipher: Cipher;
  readonly fingerprintKey: () => Promise<KeyObject>;
  readonly times: PurchaseTimes;
  readonly log: Log;
  readonly writes: PurchaseWrites;
}

/** The two transactions of a purchase that goes well; those that many want at once are shared. */
export interface PurchaseWrites {
  /** @throws {OrderExistsError} @throws {DomainError} refused. */
  accept(candidate: OnDemandCandidate): Promise<void>;
  /** @throws {OrderMovedError} @throws {ClaimLostError} @throws {CodeSoldBeforeError} */
  deliver(delivery: Delivery): Promise<void>;
}

/** A purchase that this process holds the claim of, with the order that it is for. */
export interface ClaimedPurchase {
  readonly order: Order;
  readonly purchase: Purchase;
  /** `unconfirmedSinceMs` as it was before this attempt. */
  readonly unconfirmedSinceMs: number | null;
  /** The product's own redeem URL, which comes before what the supplier says; null where the operator has set none. */
  readonly redeemUrl: string | null;
}

/** A request that may become an order whose codes are bought: new, or one that had ended without a purchase. */
export interface OnDemandCandidate {
  readonly kind: "on-demand";
  readonly request: OrderRequest;
  readonly order: Order;
  readonly purchase: Purchase;
  /** The product's own. */
  readonly redeemUrl: string | null;
  readonly again: boolean;
}

/** An order that is to be delivered, with its codes as they are stored. */
export interface Delivery {
  readonly order: Order & DeliveryColumns;
  readonly purchase: Purchase;
  readonly supplied: SuppliedCodes;
  readonly codes: readonly PurchasedCode[];
}
