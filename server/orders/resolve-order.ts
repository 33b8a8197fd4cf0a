import { ConflictError, NotFoundError } from "../errors.ts";
import type { OrderId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { LookUpOutcome, SupplierAdapter } from "../suppliers/supplier.ts";
import { completePurchase } from "./complete-purchase.ts";
import type { Order } from "./order.ts";
import { findOrder } from "./order-store.ts";
import { takeUp } from "./place-on-demand.ts";
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
  const found = await findOrder(context.database, orderId);
  if (found === null) throw new NotFoundError("order", orderId);
  if (found.status !== "processing") throw notProcessing(found);
  const taken = await takeUp(context, orderId);
  if ("inProgress" in taken) throw await whyNotTaken(context, orderId);

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

function notProcessing({ orderId, status, errorCode }: Order): ConflictError {
  return new ConflictError(`Order ${orderId} is ${status}; only one that is processing can be resolved.`, {
    orderId,
    status,
    ...(errorCode === null ? {} : { errorCode }),
  });
}

/** Somebody works on it, or has just ended it. */
async function whyNotTaken({ database }: PurchaseContext, orderId: OrderId): Promise<ConflictError> {
  const [order, purchase] = await Promise.all([
    findOrder(database, orderId),
    findPurchase(database, orderId),
  ]);
  if (order !== null && order.status !== "processing") return notProcessing(order);
  const untilMs = purchase?.dueAtMs ?? null;
  return new ConflictError(`Somebody works on order ${orderId} at this moment.`, {
    orderId,
    ...(untilMs === null ? {} : { until: new Date(untilMs).toISOString() }),
  });
}
