import type { OrderId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { LookUpOutcome, SupplierAdapter } from "../suppliers/supplier.ts";
import { claimProcessing } from "./claim-processing.ts";
import { completePurchase } from "./complete-purchase.ts";
import type { Order } from "./order.ts";
import { findOrder } from "./order-store.ts";
import type { Purchase } from "./purchase.ts";
import type { PurchaseContext } from "./purchase-context.ts";
import { findPurchase } from "./purchase-store.ts";

/** What asking the supplier led to. */
export interface Resolution {
  /** As it is now: `processing` when nothing is certain yet. */
  readonly order: Order;
  readonly purchase: Purchase;
  /** What the supplier said; null when it could not even be asked. */
  readonly answer: LookUpOutcome | null;
  /** What stood against taking its answer, in the words of the log. */
  readonly faults: readonly string[];
}

/**
 * Asks the supplier of a processing order now what became of its purchase, and ends the order accordingly. Buys nothing.
 * @throws {NotFoundError} @throws {ConflictError} it is not processing, or somebody works on it at this moment.
 */
export async function resolveOrder(context: PurchaseContext, orderId: OrderId): Promise<Resolution> {
  const taken = await claimProcessing(context, orderId, "resolved");
  const { observed, answer, faults } = observe(context);
  await completePurchase(observed, taken, "look-up");
  const [order, purchase] = await Promise.all([
    findOrder(context.database, orderId),
    findPurchase(context.database, orderId),
  ]);
  if (order === null || purchase === null) throw new Error(`Order ${orderId} is gone.`);
  return { order, purchase, answer: answer(), faults };
}

/** The same context, which also remembers what the supplier said and which faults were logged. */
function observe(context: PurchaseContext) {
  let heard: LookUpOutcome | null = null;
  const faults: string[] = [];
  const observed: PurchaseContext = {
    ...context,
    suppliers: {
      async adapterOf(supplierId) {
        const { supplier, adapter } = await context.suppliers.adapterOf(supplierId);
        const lookUp: SupplierAdapter["lookUp"] = async (requestId, qty) => {
          heard = await adapter.lookUp(requestId, qty);
          return heard;
        };
        return { supplier, adapter: { ...adapter, lookUp } };
      },
    },
    log: {
      info: (facts: object, message: string) => context.log.info(facts, message),
      warn: (facts: object, message: string) => context.log.warn(facts, message),
      error(facts: object, message: string) {
        faults.push(message);
        context.log.error(facts, message);
      },
    } as Log,
  };
  return { observed, faults, answer: () => heard };
}
