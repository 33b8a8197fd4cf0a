import { isAcceptableCost } from "../catalog/acceptable-cost.ts";
import type { DomainError } from "../errors.ts";
import { SupplierNotConfiguredError, SupplierUnavailableError } from "../suppliers/errors.ts";
import type { LookUpOutcome, PurchaseOutcome, SupplierAdapter } from "../suppliers/supplier.ts";
import { deliverOrder, releaseOrder } from "./end-order.ts";
import { OrderCommitPendingError } from "./errors.ts";
import { afterLookUp, afterPurchase, looksUpFirst, type NextStep, type Sent } from "./next-step.ts";
import type { OrderWithCodes } from "./order.ts";
import { hasTimeToSend, pauseMs } from "./purchase.ts";
import type { ClaimedPurchase, PurchaseContext } from "./purchase-context.ts";
import { agreeToCost, postponePurchase } from "./purchase-store.ts";

/**
 * How an attempt ended: with the codes; with the order in another state and the reason (`ended`); or without a result
 * (`pending`), the order still processing and left to the next attempt.
 */
export type Completion =
  | { readonly kind: "delivered"; readonly order: OrderWithCodes }
  | { readonly kind: "ended" | "pending"; readonly reason: DomainError };

/**
 * Makes the purchase of an accepted order, or only asks what became of it, and writes down what the supplier says: one
 * transaction charges and stores the codes, or releases the hold. Does not throw: whatever breaks leaves the order
 * processing, and the lease sees to it that somebody takes it up again.
 * @param how `look-up` changes nothing at the supplier.
 */
export async function completePurchase(
  context: PurchaseContext,
  claimed: ClaimedPurchase,
  how: "buy" | "look-up" = "buy",
): Promise<Completion> {
  const { orderId, supplierId } = claimed.purchase;
  try {
    return await take(context, claimed, await askSupplier(context, claimed, how));
  } catch (error) {
    // Whether money was moved is in the database, and whoever comes next reads it there.
    context.log.error(
      { orderId, supplierId, err: error },
      "purchase not written down; it will be taken up again",
    );
    return { kind: "pending", reason: new OrderCommitPendingError() };
  }
}

/** Asks the supplier until it is clear what to do; a supplier that is disabled, or gone, sells nothing more. */
async function askSupplier(
  context: PurchaseContext,
  claimed: ClaimedPurchase,
  how: "buy" | "look-up",
): Promise<NextStep> {
  const before = sentBefore(context, claimed);
  const known = await context.suppliers.adapterOf(claimed.purchase.supplierId).catch((error: unknown) => {
    if (error instanceof SupplierNotConfiguredError) return null;
    throw error;
  });
  if (known === null) {
    return before.unconfirmedSinceMs === null
      ? { kind: "release", reason: "not_accepted" }
      : { kind: "postpone", dueAtMs: null, unconfirmedSinceMs: before.unconfirmedSinceMs };
  }
  const { supplier, adapter } = known;
  if (how === "look-up" || supplier.status === "disabled") {
    const reason = supplier.status === "disabled" ? "not_accepted" : "unreachable";
    return afterLookUp(await lookUp(context, adapter, claimed), reason, before);
  }
  if (looksUpFirst(claimed.purchase.attempts, before)) {
    const found = await lookUp(context, adapter, claimed);
    // A supplier that is busy, or says nothing that can be read, may need the request once more to go on.
    if (found.kind !== "processing" && found.kind !== "unknown")
      return afterLookUp(found, "unreachable", before);
  }
  return buyAndJudge(context, adapter, claimed);
}

/** Sends the purchase and, where only the supplier can tell what an answer means, looks it up. */
async function buyAndJudge(
  context: PurchaseContext,
  adapter: SupplierAdapter,
  claimed: ClaimedPurchase,
): Promise<NextStep> {
  const { clock, times } = context;
  if (!hasTimeToSend(claimed.purchase, times, clock())) {
    return { kind: "postpone", dueAtMs: null, unconfirmedSinceMs: claimed.unconfirmedSinceMs ?? clock() };
  }
  const answer = await buy(context, adapter, claimed);
  report(context, claimed, answer);
  const before = sentBefore(context, claimed);
  const step = afterPurchase(answer, before);
  if (step.kind !== "look-up") return step;
  const found = await lookUp(context, adapter, claimed);
  const nowMs = clock();
  const sent = answer.kind === "unknown" ? { ...before, unconfirmedSinceMs: nowMs } : before;
  return afterLookUp(found, step.reason, { ...sent, nowMs });
}

function sentBefore({ clock, times }: PurchaseContext, { unconfirmedSinceMs }: ClaimedPurchase): Sent {
  return {
    unconfirmedSinceMs,
    unansweredSinceMs: unconfirmedSinceMs,
    settlingMs: times.leaseMs,
    nowMs: clock(),
  };
}

/** Sends the purchase; when the cost has changed to one that the shop accepts as well, once more at that cost. */
async function buy(
  { database, clock, times, log }: PurchaseContext,
  adapter: SupplierAdapter,
  { order: { qty }, purchase }: ClaimedPurchase,
): Promise<PurchaseOutcome> {
  const { orderId, supplierId, supplierProductId, unitCostMicrocents, maxUnitCostMicrocents } = purchase;
  const request = { requestId: orderId, supplierProductId, qty, unitCostMicrocents };
  const outcome = await adapter.purchase(request);
  if (outcome.kind !== "refused" || outcome.reason !== "cost_changed") return outcome;
  const quote = await adapter.quote(supplierProductId, qty).catch(() => null);
  if (quote === null || !isAcceptableCost(quote.unitCostMicrocents, maxUnitCostMicrocents)) return outcome;
  if (!hasTimeToSend(purchase, times, clock())) return outcome;
  log.info({ orderId, supplierId }, "supplier's cost has changed; agreed to the new one");
  await agreeToCost(database, purchase, quote.unitCostMicrocents);
  return adapter.purchase({ ...request, unitCostMicrocents: quote.unitCostMicrocents });
}

async function lookUp(
  context: PurchaseContext,
  adapter: SupplierAdapter,
  claimed: ClaimedPurchase,
): Promise<LookUpOutcome> {
  const found = await adapter.lookUp(claimed.order.orderId, claimed.order.qty);
  report(context, claimed, found);
  return found;
}

async function take(context: PurchaseContext, claimed: ClaimedPurchase, step: NextStep): Promise<Completion> {
  switch (step.kind) {
    case "deliver": {
      const order = await deliverOrder(context, claimed, step.supplied);
      if (order !== null) return { kind: "delivered", order };
      return postpone(context, claimed, { dueAtMs: null, unconfirmedSinceMs: context.clock() });
    }
    case "release":
      return { kind: "ended", reason: await releaseOrder(context, claimed, step.reason) };
    case "look-up":
      throw new Error("The supplier was not asked.");
    case "postpone":
      return postpone(context, claimed, step);
  }
}

/** Leaves the order processing until the next attempt; without a moment for it, after a pause that grows. */
async function postpone(
  { database, clock }: PurchaseContext,
  { purchase }: ClaimedPurchase,
  { dueAtMs, unconfirmedSinceMs }: { dueAtMs: number | null; unconfirmedSinceMs: number },
): Promise<Completion> {
  await postponePurchase(database, purchase, {
    dueAtMs: dueAtMs ?? clock() + pauseMs(purchase.attempts),
    unconfirmedSinceMs,
  });
  return { kind: "pending", reason: new SupplierUnavailableError() };
}

function report(
  { log }: PurchaseContext,
  { purchase: { orderId, supplierId, attempts } }: ClaimedPurchase,
  answer: { kind: string; reason?: string; message?: string },
): void {
  if (answer.kind === "delivered") return;
  const { kind, reason, message } = answer;
  log.warn({ orderId, supplierId, attempts, answer: kind, reason, message }, "supplier did not deliver");
}
