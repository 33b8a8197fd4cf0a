import { isAcceptableCost } from "../catalog/acceptable-cost.ts";
import { SupplierNotConfiguredError } from "../suppliers/errors.ts";
import type { LookUpOutcome, PurchaseOutcome, SupplierAdapter } from "../suppliers/supplier.ts";
import type { Suppliers } from "../suppliers/suppliers.ts";
import {
  createDeliverOrder,
  type DeliverOrder,
  type DeliverOrderDependencies,
  type EndedOrder,
  type ReleaseOrderDependencies,
  releaseOrder,
} from "./end-order.ts";
import {
  afterLookUp,
  afterPurchase,
  doubtAfterSending,
  mustLookUpFirst,
  type NextStep,
  type Sent,
} from "./next-step.ts";
import type { OrderWithCodes } from "./order.ts";
import { type ClaimedPurchase, hasTimeToSend, type PurchaseTimes, pauseMs } from "./purchase.ts";
import { postponePurchase, updateAgreedCost } from "./purchase-store.ts";
import { untilLeaseEnds } from "./until-lease-ends.ts";

/** What completing purchases needs. */
export interface CompletePurchaseDependencies extends DeliverOrderDependencies, ReleaseOrderDependencies {
  readonly suppliers: Pick<Suppliers, "adapterOf">;
  readonly times: PurchaseTimes;
}

/**
 * How an attempt ended: with the codes; with the order retryable or failed (`ended`); without a result, the order still
 * processing and left to the next attempt (`pending`); or with a result that was not written down for certain
 * (`not-written`): what the order is now is in the database.
 */
export type Completion =
  | { readonly kind: "delivered"; readonly order: OrderWithCodes }
  | { readonly kind: "ended"; readonly order: EndedOrder }
  | { readonly kind: "pending" | "not-written" };

/**
 * Makes the purchase of an accepted order, or only asks what became of it, and writes down what the supplier says: one
 * transaction charges and stores the codes, or releases the hold. A database that is away is waited for until the lease ends.
 * Does not throw: whatever breaks leaves the order processing, and once its lease has run out another attempt takes it up.
 * @param how `look-up` changes nothing at the supplier.
 */
export type CompletePurchase = (claimed: ClaimedPurchase, how?: "buy" | "look-up") => Promise<Completion>;

interface Completing extends CompletePurchaseDependencies {
  readonly deliverOrder: DeliverOrder;
}

/** Purchases that are completed at the same time share the transaction that delivers their orders. */
export function createCompletePurchase(given: CompletePurchaseDependencies): CompletePurchase {
  const dependencies: Completing = { ...given, deliverOrder: createDeliverOrder(given) };
  return async (claimed, how = "buy") => {
    const { orderId, supplierId } = claimed.purchase;
    try {
      return await take(dependencies, claimed, await askSupplier(dependencies, claimed, how));
    } catch (error) {
      // Whether money was moved is in the database, and the next attempt reads it there.
      given.log.error(
        { orderId, supplierId, err: error },
        "purchase not written down; it will be taken up again",
      );
      return { kind: "not-written" };
    }
  };
}

/** Asks the supplier until it is clear what to do; a supplier that is disabled, or gone, sells nothing more. */
async function askSupplier(
  dependencies: CompletePurchaseDependencies,
  claimed: ClaimedPurchase,
  how: "buy" | "look-up",
): Promise<NextStep> {
  const before = sentBefore(dependencies, claimed);
  const { purchase } = claimed;
  const known = await untilLeaseEnds(dependencies, purchase, () =>
    dependencies.suppliers.adapterOf(purchase.supplierId),
  ).catch((error: unknown) => {
    if (error instanceof SupplierNotConfiguredError) return null;
    throw error;
  });
  if (known === null) {
    return before.inDoubtSinceMs === null
      ? { kind: "release", reason: "not_accepted" }
      : { kind: "postpone", dueAtMs: null, inDoubtSinceMs: before.inDoubtSinceMs };
  }
  const { supplier, adapter } = known;
  if (how === "look-up" || supplier.status === "disabled") {
    const reason = supplier.status === "disabled" ? "not_accepted" : "unreachable";
    return afterLookUp(await lookUp(dependencies, adapter, claimed), reason, before);
  }
  if (mustLookUpFirst(claimed.purchase.attempts, before)) {
    const found = await lookUp(dependencies, adapter, claimed);
    // A supplier that is busy, or says nothing that can be read, may need the request once more to go on.
    if (found.kind !== "processing" && found.kind !== "unknown")
      return afterLookUp(found, "unreachable", before);
  }
  return buyAndJudge(dependencies, adapter, claimed);
}

/** Sends the purchase and, where only the supplier can tell what an answer means, looks it up. */
async function buyAndJudge(
  dependencies: CompletePurchaseDependencies,
  adapter: SupplierAdapter,
  claimed: ClaimedPurchase,
): Promise<NextStep> {
  const { clock, times } = dependencies;
  if (!hasTimeToSend(claimed.purchase, times, clock())) {
    return { kind: "postpone", dueAtMs: null, inDoubtSinceMs: claimed.inDoubtSinceMs ?? clock() };
  }
  const answer = await buy(dependencies, adapter, claimed);
  report(dependencies, claimed, answer);
  const before = sentBefore(dependencies, claimed);
  const step = afterPurchase(answer, before);
  if (step.kind !== "look-up") return step;
  const found = await lookUp(dependencies, adapter, claimed);
  const nowMs = clock();
  const sent = answer.kind === "unknown" ? { ...before, inDoubtSinceMs: nowMs } : before;
  return afterLookUp(found, step.reason, { ...sent, nowMs });
}

function sentBefore(
  { clock, times }: CompletePurchaseDependencies,
  { inDoubtSinceMs }: ClaimedPurchase,
): Sent {
  return {
    inDoubtSinceMs,
    unansweredSinceMs: inDoubtSinceMs,
    gracePeriodMs: times.leaseMs,
    nowMs: clock(),
  };
}

/** Sends the purchase; when the cost has changed to one that the shop accepts as well, once more at that cost. */
async function buy(
  dependencies: CompletePurchaseDependencies,
  adapter: SupplierAdapter,
  claimed: ClaimedPurchase,
): Promise<PurchaseOutcome> {
  const { database, clock, times, log } = dependencies;
  const { order, purchase } = claimed;
  const { qty } = order;
  const { orderId, supplierId, supplierProductId, unitCostMicrocents, maxUnitCostMicrocents } = purchase;
  const request = { requestId: orderId, supplierProductId, qty, unitCostMicrocents };
  const outcome = await adapter.purchase(request);
  if (outcome.kind !== "refused" || outcome.reason !== "cost_changed") return outcome;
  const quote = await adapter.quote(supplierProductId, qty).catch(() => null);
  if (quote === null || !isAcceptableCost(quote.unitCostMicrocents, maxUnitCostMicrocents)) return outcome;
  await untilLeaseEnds(dependencies, purchase, () =>
    updateAgreedCost(database, purchase, quote.unitCostMicrocents),
  );
  log.info({ orderId, supplierId }, "supplier's cost has changed; agreed to the new one");
  if (!hasTimeToSend(purchase, times, clock())) return outcome;
  return adapter.purchase({ ...request, unitCostMicrocents: quote.unitCostMicrocents });
}

async function lookUp(
  dependencies: CompletePurchaseDependencies,
  adapter: SupplierAdapter,
  claimed: ClaimedPurchase,
): Promise<LookUpOutcome> {
  const found = await adapter.lookUp(claimed.order.orderId, claimed.order.qty);
  report(dependencies, claimed, found);
  return found;
}

async function take(dependencies: Completing, claimed: ClaimedPurchase, step: NextStep): Promise<Completion> {
  const { purchase } = claimed;
  switch (step.kind) {
    case "deliver": {
      const order = await untilLeaseEnds(dependencies, purchase, () =>
        dependencies.deliverOrder(claimed, step.supplied),
      );
      if (order !== null) return { kind: "delivered", order };
      const inDoubtSinceMs = doubtAfterSending({ ...claimed, nowMs: dependencies.clock() });
      return postpone(dependencies, claimed, { dueAtMs: null, inDoubtSinceMs });
    }
    case "release": {
      const order = await untilLeaseEnds(dependencies, purchase, () =>
        releaseOrder(dependencies, claimed, step.reason),
      );
      return { kind: "ended", order };
    }
    case "look-up":
      throw new Error("The supplier was not asked.");
    case "postpone":
      return postpone(dependencies, claimed, step);
  }
}

/** Leaves the order processing until the next attempt; without a moment for it, after a pause that grows. */
async function postpone(
  dependencies: CompletePurchaseDependencies,
  { purchase }: ClaimedPurchase,
  { dueAtMs, inDoubtSinceMs }: { dueAtMs: number | null; inDoubtSinceMs: number },
): Promise<Completion> {
  const { database, clock } = dependencies;
  const until = { dueAtMs: dueAtMs ?? clock() + pauseMs(purchase.attempts), inDoubtSinceMs };
  await untilLeaseEnds(dependencies, purchase, () => postponePurchase(database, purchase, until));
  return { kind: "pending" };
}

function report(
  { log }: CompletePurchaseDependencies,
  { purchase: { orderId, supplierId, attempts } }: ClaimedPurchase,
  answer: { kind: string; reason?: string; message?: string },
): void {
  if (answer.kind === "delivered") return;
  const { kind, reason, message } = answer;
  log.warn({ orderId, supplierId, attempts, answer: kind, reason, message }, "supplier did not deliver");
}
