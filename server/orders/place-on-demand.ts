import { randomUUID } from "node:crypto";
import {
  CommitOutcomeUnknownError,
  ContentionError,
  type Transaction,
  transaction,
} from "../database/transaction.ts";
import { DomainError } from "../errors.ts";
import type { OrderId } from "../ids.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import { type OpenedHold, openHolds, reopenHold } from "../ledger/hold-store.ts";
import { type Completion, completePurchase } from "./complete-purchase.ts";
import { countSpends } from "./count-spend.ts";
import { holdOf } from "./end-order.ts";
import { OrderCommitPendingError, OrderInProgressError } from "./errors.ts";
import { type Placed, type PlacingContext, replayWinner } from "./judge-request.ts";
import { OrderMovedError } from "./order-states.ts";
import { findOrder, insertOrders, markProcessingAgain, OrderExistsError } from "./order-store.ts";
import { isAbandoned, isAtRest, type Purchase } from "./purchase.ts";
import type { OnDemandCandidate, PurchaseContext } from "./purchase-context.ts";
import {
  ClaimLostError,
  claimPurchase,
  findPurchase,
  insertPurchases,
  restartPurchase,
} from "./purchase-store.ts";

const LONGEST_RETRY_SECONDS = 5;

/**
 * Accepts an order whose codes are bought on demand, in one transaction that sets the amount aside, and then makes the
 * purchase. From the first transaction on the order comes to an end, whatever happens to this process.
 */
export async function placeOnDemand(context: PlacingContext, candidate: OnDemandCandidate): Promise<Placed> {
  const refused = await accept(context, candidate);
  if (refused !== null) return refused;
  return placed(await completePurchase(context, { ...candidate, unconfirmedSinceMs: null }));
}

/** Takes up an order that is processing, unless somebody works on it. */
export async function resumeOrder(context: PurchaseContext, orderId: OrderId): Promise<Placed> {
  const taken = await takeUp(context, orderId);
  if ("inProgress" in taken) return { refused: taken.inProgress };
  return placed(await completePurchase(context, taken));
}

/** Claims the purchase of an order that is processing and abandoned. */
export async function takeUp(
  { database, clock, products, times }: Pick<PurchaseContext, "database" | "clock" | "products" | "times">,
  orderId: OrderId,
) {
  const purchase = await findPurchase(database, orderId);
  if (purchase === null) throw new Error(`Order ${orderId} is processing and has no purchase.`);
  // Since the order was seen processing, somebody may have ended it.
  if (isAtRest(purchase)) return { inProgress: new OrderInProgressError() };
  const nowMs = clock();
  if (!isAbandoned(purchase, nowMs)) return { inProgress: inProgressUntil(purchase, nowMs) };
  const claimed: Purchase = {
    ...purchase,
    claim: randomUUID(),
    leased: true,
    attempts: purchase.attempts + 1,
    unconfirmedSinceMs: nowMs,
    dueAtMs: nowMs + times.leaseMs,
  };
  if (!(await claimPurchase(database, purchase, claimed))) return { inProgress: new OrderInProgressError() };
  // Only from here on can nobody else change the order.
  const order = await findOrder(database, orderId);
  if (order?.status !== "processing") throw new Error(`Order ${orderId} was claimed and is not processing.`);
  const { redeemUrl } = await products.get(order.productId);
  return { order, purchase: claimed, redeemUrl, unconfirmedSinceMs: lastSentMs(purchase) };
}

/** When a request may last have been sent before: whoever held a lease and vanished could send as long as it ran. */
function lastSentMs({ leased, dueAtMs, unconfirmedSinceMs }: Purchase): number | null {
  return leased ? dueAtMs : unconfirmedSinceMs;
}

/** @returns the outcome when the order was not accepted; null when it was. */
async function accept(context: PlacingContext, candidate: OnDemandCandidate): Promise<Placed | null> {
  try {
    if (candidate.again) await transaction(context.database, (tx) => writeAcceptanceAgain(tx, candidate));
    else await context.writes.accept(candidate);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return { refused: error };
    if (error instanceof ContentionError) return { refused: new OrderInProgressError() };
    if (isOvertaken(error)) return replayWinner(context, candidate.request);
    if (error instanceof CommitOutcomeUnknownError) return settleAcceptance(context, candidate);
    throw error;
  }
}

/**
 * The transaction that accepts new orders. Locks: the orders' own rows, then the keys' records of the day, then the
 * accounts.
 */
export async function writeAcceptances(
  tx: Transaction,
  candidates: readonly OnDemandCandidate[],
): Promise<void> {
  const orders = candidates.map(({ order }) => order);
  await insertOrders(tx, orders);
  await insertPurchases(
    tx,
    candidates.map(({ purchase }) => purchase),
  );
  await countSpends(tx, candidates);
  const [first] = orders;
  if (first === undefined) return;
  const held = await openHolds(tx, candidates.map(openedHoldOf));
  if (!held) throw InsufficientBalanceError.ofOrder(first.amountMicrocents);
}

/** The transaction that accepts an order which had ended without a purchase; locks as above. */
async function writeAcceptanceAgain(tx: Transaction, candidate: OnDemandCandidate): Promise<void> {
  const { order, purchase } = candidate;
  await markProcessingAgain(tx, order);
  await restartPurchase(tx, purchase);
  await countSpends(tx, [candidate]);
  const held = await reopenHold(tx, openedHoldOf(candidate));
  if (!held) throw InsufficientBalanceError.ofOrder(order.amountMicrocents);
}

function openedHoldOf({ order, purchase }: OnDemandCandidate): OpenedHold {
  return { ...holdOf(order), openedAtMs: purchase.processingSinceMs };
}

/** Another attempt at the same order was faster. */
function isOvertaken(error: unknown): boolean {
  return (
    error instanceof OrderExistsError || error instanceof OrderMovedError || error instanceof ClaimLostError
  );
}

/** After a commit whose answer never came: the purchase is in the database with this attempt's claim, or not. */
async function settleAcceptance(
  { database }: PlacingContext,
  { purchase }: OnDemandCandidate,
): Promise<Placed | null> {
  const found = await findPurchase(database, purchase.orderId).catch(() => null);
  const accepted = found !== null && found.claim === purchase.claim && found.leased;
  return accepted ? null : { refused: new OrderCommitPendingError() };
}

function placed(completion: Completion): Placed {
  return completion.kind === "delivered" ? { bought: completion.order } : { refused: completion.reason };
}

function inProgressUntil({ dueAtMs }: Purchase, nowMs: number): OrderInProgressError {
  const seconds = dueAtMs === null ? 1 : Math.ceil((dueAtMs - nowMs) / 1000);
  return new OrderInProgressError(Math.min(Math.max(seconds, 1), LONGEST_RETRY_SECONDS));
}
