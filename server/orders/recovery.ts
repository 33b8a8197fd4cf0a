import { transaction } from "../database/transaction.ts";
import type { OrderId } from "../ids.ts";
import type { Log } from "../log.ts";
import { type Recovery, startRecoveryLoop } from "../recovery-loop.ts";
import { type ClaimAbandonedDependencies, claimAbandoned } from "./claim-abandoned.ts";
import type { CompletePurchase } from "./complete-purchase.ts";
import { OrderInProgressError } from "./errors.ts";
import { StatusConflictError } from "./order-status.ts";
import { findOrder, markFailed } from "./order-store.ts";
import { ClaimLostError, closePurchase, dueOrders, leasedOrders } from "./purchase-store.ts";

/** Leases were written by the clocks of other processes. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000;

/** What recovering orders needs. */
export interface RecoveryDependencies extends ClaimAbandonedDependencies {
  readonly completePurchase: CompletePurchase;
  readonly log: Log;
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
  dependencies: RecoveryDependencies,
  { intervalMs, concurrency }: RecoverySettings,
): Recovery {
  const { database, clock, log, processes, times } = dependencies;
  const running = new Map<OrderId, Promise<void>>();

  async function recover(orderId: OrderId, rest: () => Promise<void>): Promise<void> {
    try {
      await recoverOrder(dependencies, orderId);
    } catch (error) {
      log.error({ orderId, err: error }, "order not recovered");
      // It is due as before, and would be taken up again at once.
      await rest();
    }
    running.delete(orderId);
  }

  /** @returns whether there may be more that are due. */
  async function claimDueOrders(rest: () => Promise<void>): Promise<boolean> {
    // Those under way are due no longer, unless they have lost their lease.
    const due = [...(await dueOrders(database, clock(), concurrency)), ...(await ordersOfSilent())];
    const free = concurrency - running.size;
    for (const orderId of due.filter((id) => !running.has(id)).slice(0, free)) {
      running.set(orderId, recover(orderId, rest));
    }
    return due.length >= concurrency;
  }

  /** What processes were at work on that have gone silent: they are not waited for until their leases have run out. */
  async function ordersOfSilent(): Promise<OrderId[]> {
    const silent = processes.silent();
    if (silent.length === 0) return [];
    const nowMs = clock();
    const untilMs = nowMs + times.leaseMs + MAX_CLOCK_DIFFERENCE_MS;
    return leasedOrders(database, silent, { nowMs, untilMs, limit: concurrency });
  }

  const loop = startRecoveryLoop(intervalMs, async (rest) => {
    const more = await claimDueOrders(rest).catch((error: unknown) => {
      log.error({ err: error }, "orders that are due could not be read");
      return false;
    });
    // While many are due, each that ends makes room for the next at once.
    await (more ? Promise.race([rest(), ...running.values()]) : rest());
  });
  return {
    async stop() {
      await loop.stop();
      await Promise.all(running.values());
    },
  };
}

/** Carries an order on that is due: one that is processing is resumed, one that was not sent again is closed. */
export async function recoverOrder(dependencies: RecoveryDependencies, orderId: OrderId): Promise<void> {
  const order = await findOrder(dependencies.database, orderId);
  if (order?.status === "processing") await resumeOrder(dependencies, orderId);
  if (order?.status === "retryable") await closeOrder(dependencies, orderId, order.errorCode);
}

/** Nothing is done when another attempt is at work on it. */
async function resumeOrder(dependencies: RecoveryDependencies, orderId: OrderId): Promise<void> {
  const claimed = await claimAbandoned(dependencies, orderId).catch((error: unknown) => {
    if (error instanceof OrderInProgressError) return null;
    throw error;
  });
  if (claimed !== null) await dependencies.completePurchase(claimed);
}

/** retryable → failed, unless the buyer has just sent it again. */
async function closeOrder(
  { database, clock }: RecoveryDependencies,
  orderId: OrderId,
  errorCode: string | null,
): Promise<void> {
  const closing = transaction(database, async (tx) => {
    await markFailed(tx, orderId, "retryable", errorCode);
    await closePurchase(tx, orderId, clock());
  });
  await closing.catch((error: unknown) => {
    if (!(error instanceof StatusConflictError || error instanceof ClaimLostError)) throw error;
  });
}
