import { recordAction } from "../actions/record-action.ts";
import type { OrderId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { LookUpOutcome, SupplierAdapter } from "../suppliers/supplier.ts";
import type { ClaimAbandonedDependencies } from "./claim-abandoned.ts";
import { claimProcessing, readBack } from "./claim-processing.ts";
import { type CompletePurchaseDependencies, createCompletePurchase } from "./complete-purchase.ts";
import type { Order } from "./order.ts";
import type { Purchase } from "./purchase.ts";

/** What resolving orders needs. */
export type ResolveDependencies = ClaimAbandonedDependencies & CompletePurchaseDependencies;

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
 * @throws {NotFoundError} @throws {ConflictError} it is not processing, or another attempt is at work on it.
 */
export async function resolveOrder(dependencies: ResolveDependencies, orderId: OrderId): Promise<Resolution> {
  const taken = await claimProcessing(dependencies, orderId, "resolved", (tx, { supplierId, attempts }) =>
    recordAction(tx, {
      operation: "resolveOrder",
      targetId: orderId,
      before: { attempts },
      after: { attempts: attempts + 1, asked: supplierId },
    }),
  );
  const { observed, answer, faults } = observe(dependencies);
  await createCompletePurchase(observed)(taken, "look-up");
  return { ...(await readBack(dependencies.database, orderId)), answer: answer(), faults };
}

/** The same dependencies, which also remember what the supplier said and which faults were logged. */
function observe(dependencies: ResolveDependencies) {
  let heard: LookUpOutcome | null = null;
  const faults: string[] = [];
  const observed: ResolveDependencies = {
    ...dependencies,
    suppliers: {
      async adapterOf(supplierId) {
        const { supplier, adapter } = await dependencies.suppliers.adapterOf(supplierId);
        const lookUp: SupplierAdapter["lookUp"] = async (requestId, qty) => {
          heard = await adapter.lookUp(requestId, qty);
          return heard;
        };
        return { supplier, adapter: { ...adapter, lookUp } };
      },
    },
    log: {
      info: (facts: object, message: string) => dependencies.log.info(facts, message),
      warn: (facts: object, message: string) => dependencies.log.warn(facts, message),
      error(facts: object, message: string) {
        faults.push(message);
        dependencies.log.error(facts, message);
      },
    } as Log,
  };
  return { observed, faults, answer: () => heard };
}
