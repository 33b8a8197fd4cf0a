import { isWellSaid } from "./convert.ts";
import type { PurchaseOutcome, RefusalReason, SuppliedCodes } from "./supplier.ts";
import type { Reply } from "./transport.ts";

/** What the supplier's refusals mean, by status; other errors leave the purchase in doubt. */
const REASONS: Readonly<Record<number, RefusalReason>> = {
  400: "not_accepted",
  401: "not_accepted",
  402: "not_accepted",
  403: "not_accepted",
  404: "not_accepted",
  429: "unreachable",
};

/** The same for conflicts, by error code. */
const CONFLICTS: Readonly<Record<string, RefusalReason>> = {
  out_of_stock: "out_of_stock",
  price_changed: "cost_changed",
  supplier_price_changed: "cost_changed",
  idempotency_conflict: "closed",
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
      const { status, errorCode, message } = reply;
      const reason = reasonOf(status, errorCode);
      if (reason !== undefined) return { kind: "refused", reason, message };
      return { kind: "unknown", answered: isWellSaid(status, errorCode), message };
    }
  }
}

function reasonOf(status: number, errorCode: string | null): RefusalReason | undefined {
  if (status === 409 && errorCode !== null) return CONFLICTS[errorCode];
  if (status === 503 && errorCode === "supplier_not_configured") return "not_accepted";
  return REASONS[status];
}

/**
 * What all sendings of one purchase come to. Once one of them may have taken effect, a later refusal proves nothing,
 * except that the id is closed.
 * @param outcomes of every sending, in their order; at least one.
 */
export function conclude(outcomes: readonly PurchaseOutcome[]): PurchaseOutcome {
  const last = outcomes.at(-1);
  if (last === undefined) throw new Error("A purchase was not sent.");
  if (last.kind === "delivered" || (last.kind === "refused" && last.reason === "closed")) return last;
  const doubtful = outcomes.filter((outcome) => outcome.kind === "unknown");
  if (doubtful.length === 0) return last;
  return { kind: "unknown", answered: doubtful.every(({ answered }) => answered), message: last.message };
}
