import type { OrderId } from "../ids.ts";
import type { Microcents } from "../money/microcents.ts";
import type { RefusalReason } from "../suppliers/supplier.ts";
import type { Order } from "./order.ts";

/** What is bought from a supplier for one order; the order's id is the request id, on every attempt the same. */
export interface Purchase {
  readonly orderId: OrderId;
  readonly supplierId: string;
  readonly supplierProductId: string;
  /** The most that one code may cost, as the product said when the order was accepted. */
  readonly maxUnitCostMicrocents: Microcents;
  /** The cost that is agreed to or, once delivered, what the supplier took. */
  readonly unitCostMicrocents: Microcents;
  readonly supplierOrderId: string | null;
  /** A random text that stands for the attempt that claimed it last: only the holder of this claim may change anything. */
  readonly claim: string;
  /** Whether a process works on it, until `dueAtMs` at the latest. */
  readonly leased: boolean;
  /** How often the supplier was asked since the order was accepted. */
  readonly attempts: number;
  /**
   * When a request was last sent of which it is not known whether it took or may yet take effect; null for none, which is so
   * as soon as the order is not processing any more, and only then.
   */
  readonly inDoubtSinceMs: number | null;
  /** Since when the order is `processing`, this time. */
  readonly processingSinceMs: number;
  /** When recovery has to look at it again; null once the order has come to an end. */
  readonly dueAtMs: number | null;
}

/** A purchase that this process holds the claim of, with the order that it is for. */
export interface ClaimedPurchase {
  readonly order: Order;
  readonly purchase: Purchase;
  /** `inDoubtSinceMs` as it was before this attempt. */
  readonly inDoubtSinceMs: number | null;
  /** The product's own redeem URL, which comes before what the supplier says; null where the operator has set none. */
  readonly redeemUrl: string | null;
}

/** Times that govern purchases. */
export interface PurchaseTimes {
  /** How long one process may work on an order before another takes it for abandoned. Longer than any purchase call. */
  readonly leaseMs: number;
  /** How long one purchase call may take; none begins when less than this is left of the lease. */
  readonly purchaseMs: number;
  /** How long a retryable order waits to be sent again before it is closed. */
  readonly retryableMs: number;
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 300_000;

/** What a buyer is told, and what the order keeps, when the supplier has refused. */
export type RefusalCode =
  | "out_of_stock"
  | "supplier_price_changed"
  | "supplier_not_configured"
  | "supplier_unavailable";

const CODES: Readonly<Record<RefusalReason, RefusalCode>> = {
  unreachable: "supplier_unavailable",
  out_of_stock: "out_of_stock",
  cost_changed: "supplier_price_changed",
  not_accepted: "supplier_not_configured",
  closed: "supplier_unavailable",
};

export function refusalCode(reason: RefusalReason): RefusalCode {
  return CODES[reason];
}

/** Whether a process may claim the purchase now: no other works on it, or its lease has run out. */
export function isAbandoned(purchase: Purchase, nowMs: number): boolean {
  return !purchase.leased || purchase.dueAtMs === null || purchase.dueAtMs <= nowMs;
}

/** Whether nothing is under way for it any more, though its order may be sent again: all that was sent is accounted for. */
export function isNotInDoubt(purchase: Purchase): boolean {
  return purchase.inDoubtSinceMs === null;
}

/** Whether a request that is sent now ends before the lease does. */
export function hasTimeToSend({ dueAtMs }: Purchase, { purchaseMs }: PurchaseTimes, nowMs: number): boolean {
  return dueAtMs !== null && nowMs + purchaseMs <= dueAtMs;
}

/** How long to wait after that many attempts without a result: twice as long each time, up to five minutes. */
export function pauseMs(attempts: number, random: () => number = Math.random): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), MAX_PAUSE_MS);
  return Math.round(longest * (0.75 + random() / 2));
}
