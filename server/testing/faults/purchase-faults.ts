import { ERROR_CODES, type ErrorCode } from "../../simulators/supplier/answer.ts";
import type { FaultRule } from "../../simulators/supplier/fault-schedule.ts";
import type { FaultyOrder } from "./faulty-order.ts";

/** A fault that a supplier may have with a purchase, once, and how the order ends then (see `Ending`). */
export interface PurchaseFault {
  readonly fault: FaultRule;
  /** When the supplier has the codes. */
  readonly enough: string;
  /** When it has too few. */
  readonly short: string;
  /** In both cases, when the buyer does not send the order again. */
  readonly once?: string;
}

const OUT_OF_STOCK = "retryable out_of_stock";
const NOT_CONFIGURED = both("retryable supplier_not_configured");
const PRICE_CHANGED = both("retryable supplier_price_changed");
const CLOSED = both("failed supplier_unavailable");
/** As if there had been no fault. */
const PASSING = { enough: "delivered", short: OUT_OF_STOCK };

const REFUSALS: Readonly<Record<ErrorCode, Omit<PurchaseFault, "fault">>> = {
  invalid_input: NOT_CONFIGURED,
  bad_request: NOT_CONFIGURED,
  unauthorized: NOT_CONFIGURED,
  insufficient_balance: NOT_CONFIGURED,
  key_daily_limit_exceeded: NOT_CONFIGURED,
  insufficient_scope: NOT_CONFIGURED,
  key_order_limit_exceeded: NOT_CONFIGURED,
  not_found: NOT_CONFIGURED,
  supplier_not_configured: NOT_CONFIGURED,
  out_of_stock: both(OUT_OF_STOCK),
  idempotency_conflict: CLOSED,
  // The price that the supplier asks for is the one that was agreed to after all.
  price_changed: PASSING,
  supplier_price_changed: PASSING,
  // It asks to wait for longer than a purchase may take.
  rate_limited: { ...PASSING, once: "retryable supplier_unavailable" },
  server_error: PASSING,
  supplier_unavailable: PASSING,
  order_in_progress: PASSING,
  order_commit_pending: PASSING,
};

const STATUSES = [500, 502, 503] as const;

/** Every fault of the supplier simulator, in each of its forms. */
export const PURCHASE_FAULTS: readonly PurchaseFault[] = [
  ...ERROR_CODES.map((code) => ({
    fault: { kind: "refuse", code, retryAfterSeconds: 3 } as const,
    ...REFUSALS[code],
  })),
  ...(
    ["late", "late_effect", "cut_before", "cut_after", "cut_midway", "hang_before", "hang_after"] as const
  ).map((kind) => ({ fault: { kind }, ...PASSING })),
  ...(["too_few_codes", "too_many_codes", "repeated_code"] as const).map((kind) => ({
    fault: { kind },
    ...PASSING,
  })),
  ...[true, false].flatMap((effect) =>
    (["garbage", "garbage_shape"] as const).map((kind) => ({ fault: { kind, effect }, ...PASSING })),
  ),
  ...STATUSES.flatMap((status) =>
    (["error_before", "error_after"] as const).map((kind) => ({ fault: { kind, status }, ...PASSING })),
  ),
  { fault: { kind: "processing_then", end: "delivered" }, ...PASSING },
  { fault: { kind: "processing_then", end: "retryable" }, ...PASSING },
  { fault: { kind: "processing_then", end: "failed" }, ...PASSING, enough: CLOSED.enough },
  { fault: { kind: "closed" }, ...CLOSED },
  // One cent more, which the shop accepts, and more than it accepts.
  { fault: { kind: "price_change" }, ...PASSING },
  { fault: { kind: "price_change", unitPrice: "0.90" }, ...PRICE_CHANGED },
];

/** The four ways to meet faults: the buyer sends the order again or does not, the supplier has the codes or too few. */
export const CIRCUMSTANCES: readonly Omit<FaultyOrder, "faults">[] = [true, false].flatMap((persistent) =>
  [true, false].map((enough) => ({ persistent, enough })),
);

function both(order: string): { enough: string; short: string } {
  return { enough: order, short: order };
}
