import { readErrorCode, readOrder, toSuppliedCodes } from "./convert.ts";
import type { PurchaseOutcome, PurchaseRequest, RefusalReason } from "./supplier.ts";
import type { Reply } from "./transport.ts";

/** What one sending of a purchase came to, and whether and when to send it again. */
export interface SendingOutcome {
  readonly outcome: PurchaseOutcome;
  readonly again: boolean;
  readonly retryAfterMs: number;
}

/** What the supplier's refusals mean; other errors leave the purchase in doubt. */
const REASONS: Readonly<Record<string, RefusalReason>> = {
  out_of_stock: "out_of_stock",
  price_changed: "cost_changed",
  supplier_price_changed: "cost_changed",
  idempotency_conflict: "closed",
  invalid_input: "not_accepted",
  bad_request: "not_accepted",
  unauthorized: "not_accepted",
  insufficient_balance: "not_accepted",
  key_daily_limit_exceeded: "not_accepted",
  insufficient_scope: "not_accepted",
  key_order_limit_exceeded: "not_accepted",
  not_found: "not_accepted",
  supplier_not_configured: "not_accepted",
  rate_limited: "unreachable",
};

/** Reads the reply to a purchase that was sent. */
export function readPurchaseReply(reply: Reply, { requestId, qty }: PurchaseRequest): SendingOutcome {
  switch (reply.kind) {
    case "not-sent":
      return once({ kind: "refused", reason: "unreachable", message: reply.message }, true);
    case "no-answer":
      return once({ kind: "unknown", answered: false, message: reply.message }, true);
    case "answer":
      return { ...readAnswer(reply, requestId, qty), retryAfterMs: reply.retryAfterMs };
  }
}

function readAnswer(
  { status, body }: Extract<Reply, { kind: "answer" }>,
  requestId: string,
  qty: number,
): SendingOutcome {
  if (status === 200) {
    const order = readOrder(body);
    const supplied = order === null ? null : toSuppliedCodes(order, requestId, qty);
    if (supplied !== null) return once({ kind: "delivered", supplied }, false);
    return once(
      { kind: "unknown", answered: false, message: "answered 200 without the order's codes" },
      true,
    );
  }
  const errorCode = readErrorCode(body);
  const message = `answered ${status} ${errorCode ?? "in a shape that cannot be read"}`;
  const reason = errorCode === null ? undefined : REASONS[errorCode];
  if (reason !== undefined) return once({ kind: "refused", reason, message }, reason === "unreachable");
  return once(
    { kind: "unknown", answered: errorCode !== null && errorCode !== "server_error", message },
    true,
  );
}

function once(outcome: PurchaseOutcome, again: boolean): SendingOutcome {
  return { outcome, again, retryAfterMs: 0 };
}
