import { setTimeout as delay } from "node:timers/promises";
import { transaction } from "../database/transaction.ts";
import type { OrderId } from "../ids.ts";
import { OrderMovedError } from "./order-states.ts";
import { findOrder, markFailed } from "./order-store.ts";
import { resumeOrder } from "./place-on-demand.ts";
import type { PurchaseContext } from "./purchase-context.ts";
import { ClaimLostError, dueOrders, retirePurchase } from "./purchase-store.ts";

/** The loop that brings abandoned orders to an end; every server process runs one. */
export interface Recovery {
  /** Takes up nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

/** How busy the loop is. */
export interface RecoverySettings {
  /** How long it rests when nothing is due. */
  readonly intervalMs: number;
  /** How many orders it works on at once. */
  readonly concurrency: number;
}

/** Starts looking for orders that are due, until it is stopped. */
export function startRecovery(
  context: PurchaseContext,
  { intervalMs, concurrency }: RecoverySettings,
): Recovery {
  const running = new Map<OrderId, Promise<void>>();
  const stopped = new AbortController();
  const rest = () => delay(intervalMs, undefined, { signal: stopped.signal }).catch(() => {});

  async function recover(orderId: OrderId): Promise<void> {
    try {
      await recoverOrder(context, orderId);
    } catch (error) {
      context.log.error({ orderId, err: error }, "order not recovered");
      // It is due as before, and would be taken up again at once.
      await rest();
    }
    running.delete(orderId);
  }

  /** @returns whether there may be more that are due. */
  async function takeUpDueOrders(): Promise<boolean> {
    // Those under way are due no longer, unless they have lost their lease.
    const due = await dueOrders(context.database, context.clock(), concurrency);
    const free = concurrency - running.size;
    for (const orderId of due.filter((id) => !running.has(id)).slice(0, free)) {
      running.set(orderId, recover(orderId));
    }
    return due.length === concurrency;
  }

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      const more = await takeUpDueOrders().catch((error: unknown) => {
        context.log.error({ err: error }, "orders that are due could not be read");
        return false;
      });
      // While many are due, whatever ends makes room for the next at once.
      await (more ? Promise.race([rest(), ...running.values()]) : rest());
    }
    await Promise.all(running.values());
  }

  const looping = loop();
  return {
    async stop() {
      stopped.abort();
      await looping;
    },
  };
}

/** Carries an order on that is due: one that is processing is resumed, one that was not sent again is closed. */
export async function recoverOrder(context: PurchaseContext, orderId: OrderId): Promise<void> {
  const order = await findOrder(context.database, orderId);
  if (order?.status === "processing") await resumeOrder(context, orderId);
  if (order?.status === "retryable") await closeOrder(context, orderId, order.errorCode);
}

/** retryable → failed, unless the buyer has just sent it again. */
async function closeOrder(
  { database, clock }: PurchaseContext,
  orderId: OrderId,
  errorCode: string | null,
): Promise<void> {
  const closing = transaction(database, async (tx) => {
    await markFailed(tx, orderId, "retryable", errorCode);
    await retirePurchase(tx, orderId, clock());
  });
  await closing.catch((error: unknown) => {
    if (!(error instanceof OrderMovedError || error instanceof ClaimLostError)) throw error;
  });
}
