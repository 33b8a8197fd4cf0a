import type { Products } from "../catalog/products.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { CommitOutcomeUnknownError } from "../database/faults.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import type { OrderId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { Processes } from "../processes/processes.ts";
import { claimantOf, newClaim } from "./claim.ts";
import { OrderInProgressError } from "./errors.ts";
import { findOrder } from "./order-store.ts";
import {
  type ClaimedPurchase,
  isAbandoned,
  isNotInDoubt,
  type Purchase,
  type PurchaseTimes,
} from "./purchase.ts";
import { claimPurchase, findPurchase } from "./purchase-store.ts";
import { untilLeaseEnds } from "./until-lease-ends.ts";

/** Less than it takes to notice that the process which works on the order has gone silent. */
const MAX_RETRY_SECONDS = 3;

/** What taking up an order needs. */
export interface ClaimAbandonedDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly products: Pick<Products, "get">;
  readonly times: Pick<PurchaseTimes, "leaseMs">;
  readonly processes: Pick<Processes, "id" | "silent">;
}

/** What else the transaction of a claim writes, as its last. */
export type RecordClaim = (tx: Transaction, purchase: Purchase) => Promise<void>;

/**
 * Claims the purchase of an order that is processing and abandoned. So is one whose process has gone silent, before its lease
 * has run out: what that process still does when it goes on is the same request, and it ends nothing without its claim.
 * @throws {OrderInProgressError} another attempt is at work on it, or has just ended it.
 */
export async function claimAbandoned(
  dependencies: ClaimAbandonedDependencies,
  orderId: OrderId,
  record: RecordClaim | null = null,
): Promise<ClaimedPurchase> {
  const { database, clock, products, processes, times } = dependencies;
  const purchase = await findPurchase(database, orderId);
  if (purchase === null) throw new Error(`Order ${orderId} is processing and has no purchase.`);
  // Since the order was seen processing, another attempt may have ended it.
  if (isNotInDoubt(purchase)) throw new OrderInProgressError();
  const nowMs = clock();
  if (!isAbandoned(purchase, nowMs) && !processes.silent().includes(claimantOf(purchase.claim)))
    throw inProgressUntil(purchase, nowMs);
  const claimed: Purchase = {
    ...purchase,
    claim: newClaim(processes.id),
    leased: true,
    attempts: purchase.attempts + 1,
    inDoubtSinceMs: nowMs,
    dueAtMs: nowMs + times.leaseMs,
  };
  if (!(await isClaimed(dependencies, purchase, claimed, record))) throw new OrderInProgressError();
  // Only from here on can no other attempt change the order.
  const order = await untilLeaseEnds(dependencies, claimed, () => findOrder(database, orderId));
  if (order?.status !== "processing") throw new Error(`Order ${orderId} was claimed and is not processing.`);
  const { redeemUrl } = await untilLeaseEnds(dependencies, claimed, () => products.get(order.productId));
  return { order, purchase: claimed, redeemUrl, inDoubtSinceMs: lastSentMs(purchase) };
}

/** Claims it; when no answer comes to that, looks whose it is now: a claim that nobody works on holds the order up. */
async function isClaimed(
  dependencies: ClaimAbandonedDependencies,
  purchase: Purchase,
  claimed: Purchase,
  record: RecordClaim | null,
): Promise<boolean> {
  const { database } = dependencies;
  try {
    if (record === null) return await claimPurchase(database, purchase, claimed);
    return await transaction(database, async (tx) => {
      if (!(await claimPurchase(tx, purchase, claimed))) return false;
      await record(tx, purchase);
      return true;
    });
  } catch (error) {
    if (!(error instanceof CommitOutcomeUnknownError)) throw error;
    const found = await untilLeaseEnds(dependencies, claimed, () => findPurchase(database, purchase.orderId));
    return found?.claim === claimed.claim;
  }
}

/** When a request may last have been sent before: an attempt that held a lease and died could send as long as it ran. */
function lastSentMs({ leased, dueAtMs, inDoubtSinceMs }: Purchase): number | null {
  return leased ? dueAtMs : inDoubtSinceMs;
}

function inProgressUntil({ dueAtMs }: Purchase, nowMs: number): OrderInProgressError {
  const seconds = dueAtMs === null ? 1 : Math.ceil((dueAtMs - nowMs) / 1000);
  return new OrderInProgressError(Math.min(Math.max(seconds, 1), MAX_RETRY_SECONDS));
}
