import { type ErrorCode, isDefiniteError } from "./convert.ts";
import type { PurchaseOutcome, RefusalReason, SuppliedCodes } from "./supplier.ts";
import type { Reply } from "./transport.ts";

/** What the supplier's refusals mean; null: the purchase stays in doubt. */
const REASONS: Readonly<Record<ErrorCode, RefusalReason | null>> = {
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
  server_error: null,
  supplier_unavailable: null,
  order_in_progress: null,
  order_commit_pending: null,
};

/** What one sending of a purchase came to. */
export function readPurchaseReply(reply: Reply<SuppliedCodes>): PurchaseOutcome {
  switch (reply.kind) {
    case "answer":
      return { kind: "delivered", supplied: reply.value };
    case "no-connection":
    case "left-alone":
      return { kind: "refused", reason: "unreachable", message: reply.message };
    case "no-answer":
      return { kind: "unknown", answered: false, message: reply.message };
    case "error": {
      const { errorCode, message } = reply;
      // An error in other words may come from a gateway that had passed the purchase on.
      const reason = errorCode === null ? null : REASONS[errorCode];
      if (reason !== null) return { kind: "refused", reason, message };
      return { kind: "unknown", answered: isDefiniteError(errorCode), message };
    }
  }
}

/**
 * What all sendings of one purchase come to. Once one of them may have taken effect, a later refusal proves nothing,
 * except that the id is closed.
 * @param outcomes of every sending, in their order; at least one.
 */
export function combineOutcomes(outcomes: readonly PurchaseOutcome[]): PurchaseOutcome {
  const last = outcomes.at(-1);
  if (last === undefined) throw new Error("A purchase was not sent.");
  if (last.kind === "delivered" || (last.kind === "refused" && last.reason === "closed")) return last;
  const doubtful = outcomes.filter((outcome) => outcome.kind === "unknown");
  if (doubtful.length === 0) return last;
  return { kind: "unknown", answered: doubtful.every(({ answered }) => answered), message: last.message };
}
