import type { LookUpOutcome, PurchaseOutcome, RefusalReason, SuppliedCodes } from "../suppliers/supplier.ts";

/** What to do with an order after its supplier was asked. */
export type NextStep =
  | { readonly kind: "deliver"; readonly supplied: SuppliedCodes }
  /** Nothing was bought, for certain. */
  | { readonly kind: "release"; readonly reason: RefusalReason }
  /** Ask what the supplier knows before deciding. */
  | { readonly kind: "look-up"; readonly reason: RefusalReason }
  /** Nothing is certain yet: try again at `dueAtMs` (null: after the usual pause) and know of a request sent then. */
  | { readonly kind: "postpone"; readonly dueAtMs: number | null; readonly inDoubtSinceMs: number };

/** What is known of the requests that were sent for a purchase before the present answer. */
export interface Sent {
  /** When one was last sent that may have taken effect or may yet, or may be sent at the latest; null for none. */
  readonly inDoubtSinceMs: number | null;
  /** When one was last sent that has no answer at all and may still be under way; null for none. */
  readonly unansweredSinceMs: number | null;
  /** How long after such a moment one can no longer arrive. */
  readonly gracePeriodMs: number;
  readonly nowMs: number;
}

const ATTEMPTS_BEFORE_LOOK_UP = 3;

/**
 * Whether to ask what became of the requests before sending another. A supplier that has left several in doubt is asked
 * first, and given no new one while an old one may still arrive: otherwise the doubt would never end, nor the hold.
 * @param attempts counts the present one.
 */
export function mustLookUpFirst(attempts: number, { inDoubtSinceMs }: Sent): boolean {
  return attempts > ATTEMPTS_BEFORE_LOOK_UP && inDoubtSinceMs !== null;
}

/** Judges the answer to a purchase that was sent. */
export function afterPurchase(answer: PurchaseOutcome, sent: Sent): NextStep {
  switch (answer.kind) {
    case "delivered":
      return { kind: "deliver", supplied: answer.supplied };
    case "unknown":
      return answer.answered && sent.unansweredSinceMs === null
        ? { kind: "look-up", reason: "unreachable" }
        : { kind: "postpone", dueAtMs: null, inDoubtSinceMs: doubtAfterSending(sent) };
    case "refused":
      return afterRefusal(answer.reason, sent);
  }
}

/** Who held a lease before and has gone silent may send until that lease would have run out, which may be later than now. */
export function doubtAfterSending({ inDoubtSinceMs, nowMs }: Pick<Sent, "inDoubtSinceMs" | "nowMs">): number {
  return Math.max(inDoubtSinceMs ?? nowMs, nowMs);
}

function afterRefusal(reason: RefusalReason, sent: Sent): NextStep {
  if (reason === "closed" || sent.inDoubtSinceMs === null) return { kind: "release", reason };
  // An earlier request may still arrive: until it no longer can, a refusal of this one proves nothing.
  const { inDoubtSinceMs, gracePeriodMs, nowMs } = sent;
  const graceEndsAtMs = inDoubtSinceMs + gracePeriodMs;
  if (nowMs >= graceEndsAtMs) return { kind: "look-up", reason };
  return { kind: "postpone", dueAtMs: graceEndsAtMs, inDoubtSinceMs };
}

/**
 * Judges what a supplier knows of a request id.
 * @param reason why the order is released if nothing was bought.
 */
export function afterLookUp(found: LookUpOutcome, reason: RefusalReason, sent: Sent): NextStep {
  switch (found.kind) {
    case "delivered":
      return { kind: "deliver", supplied: found.supplied };
    case "closed":
      return { kind: "release", reason: "closed" };
    case "retryable":
      return releaseAfterGracePeriod(sent.unansweredSinceMs, reason, sent);
    case "none":
      return releaseAfterGracePeriod(sent.inDoubtSinceMs, reason, sent);
    case "processing":
    case "unknown":
      return { kind: "postpone", dueAtMs: null, inDoubtSinceMs: sent.inDoubtSinceMs ?? sent.nowMs };
  }
}

function releaseAfterGracePeriod(
  sinceMs: number | null,
  reason: RefusalReason,
  { gracePeriodMs, nowMs }: Sent,
): NextStep {
  if (sinceMs === null || nowMs >= sinceMs + gracePeriodMs) return { kind: "release", reason };
  return { kind: "postpone", dueAtMs: sinceMs + gracePeriodMs, inDoubtSinceMs: sinceMs };
}
