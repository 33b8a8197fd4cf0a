import { combinedTransaction } from "../database/combined-transaction.ts";
import { CommitOutcomeUnknownError, ContentionError } from "../database/faults.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import type { DomainError } from "../errors.ts";
import type { OrderId } from "../ids.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import type { OpenedHold } from "../ledger/funds.ts";
import { lockFunds } from "../ledger/funds-store.ts";
import { openHolds, reopenHold } from "../ledger/hold-store.ts";
import {
  SupplierNotConfiguredError,
  SupplierPriceChangedError,
  SupplierUnavailableError,
} from "../suppliers/errors.ts";
import { type ClaimAbandonedDependencies, claimAbandoned } from "./claim-abandoned.ts";
import type { CompletePurchase, Completion } from "./complete-purchase.ts";
import { addToDailySpend } from "./daily-spend.ts";
import { type EndedOrder, holdOf } from "./end-order.ts";
import {
  IdempotencyConflictError,
  OrderCommitPendingError,
  OrderInProgressError,
  OutOfStockError,
} from "./errors.ts";
import type { OnDemandCandidate } from "./judge-request.ts";
import type { KnownOrders } from "./known-orders.ts";
import type { PlacedOrder } from "./order.ts";
import { StatusConflictError } from "./order-status.ts";
import { insertOrders, markProcessingAgain, OrderExistsError } from "./order-store.ts";
import { ClaimLostError, findPurchase, insertPurchases, restartPurchase } from "./purchase-store.ts";
import { refuseLate } from "./refuse-late.ts";
import { untilLeaseEnds } from "./until-lease-ends.ts";

/** What placing orders whose codes are bought needs. */
export interface PlaceOnDemandDependencies extends ClaimAbandonedDependencies {
  readonly completePurchase: CompletePurchase;
  readonly knownOrders: Pick<KnownOrders, "replayCommitted">;
}

/** Placing orders whose codes are bought, and carrying them on. Orders that are accepted together share a transaction. */
export function createPlaceOnDemand(dependencies: PlaceOnDemandDependencies) {
  const { database, clock, completePurchase, knownOrders } = dependencies;
  const acceptNew = combinedTransaction(
    database,
    async (tx, candidates: readonly OnDemandCandidate[]) => {
      await writeAcceptances(tx, candidates);
      refuseLate(candidates, clock());
    },
    {
      rowsOf: ({ order }) => [order.accountId],
      contestedOf: ({ order }) => order.accountId,
    },
  );
  const acceptAgain = (candidate: OnDemandCandidate) =>
    transaction(database, async (tx) => {
      await writeAcceptanceAgain(tx, candidate);
      refuseLate([candidate], clock());
    });

  return {
    /**
     * Accepts an order whose codes are bought on demand, in one transaction that sets the amount aside, and then makes
     * the purchase. From the first transaction on the order comes to an end, whatever happens to this process.
     * @throws {DomainError} it is refused, or has no result yet.
     */
    async placeOnDemand(candidate: OnDemandCandidate): Promise<PlacedOrder> {
      try {
        await (candidate.again ? acceptAgain(candidate) : acceptNew(candidate));
      } catch (error) {
        if (error instanceof ContentionError) throw new OrderInProgressError();
        if (hasLostRace(error)) return knownOrders.replayCommitted(candidate.request);
        if (!(error instanceof CommitOutcomeUnknownError)) throw error;
        if (!(await isAccepted(dependencies, candidate))) throw new OrderCommitPendingError();
      }
      return placed(await completePurchase({ ...candidate, inDoubtSinceMs: null }));
    },

    /** Takes up an order that is processing. @throws {DomainError} another attempt is at work on it; or as above. */
    async resumeOrder(orderId: OrderId): Promise<PlacedOrder> {
      return placed(await completePurchase(await claimAbandoned(dependencies, orderId)));
    },
  };
}

/**
 * The transaction that accepts new orders. Locks: the orders' own rows, then the accounts, then the keys' records of the
 * day.
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
  const funds = await lockFunds(tx, orders);
  await addToDailySpend(tx, candidates);
  const [first] = orders;
  if (first === undefined) return;
  const held = await openHolds(tx, funds, candidates.map(openedHoldOf));
  if (!held) throw InsufficientBalanceError.ofOrder(first.amountMicrocents);
}

/** The transaction that accepts an order which had ended without a purchase; locks as above. */
async function writeAcceptanceAgain(tx: Transaction, candidate: OnDemandCandidate): Promise<void> {
  const { order, purchase } = candidate;
  await markProcessingAgain(tx, order);
  await restartPurchase(tx, purchase);
  const funds = await lockFunds(tx, [order]);
  await addToDailySpend(tx, [candidate]);
  const held = await reopenHold(tx, funds, openedHoldOf(candidate));
  if (!held) throw InsufficientBalanceError.ofOrder(order.amountMicrocents);
}

function openedHoldOf({ order, purchase }: OnDemandCandidate): OpenedHold {
  return { ...holdOf(order), openedAtMs: purchase.processingSinceMs };
}

/** Another attempt at the same order was faster. */
function hasLostRace(error: unknown): boolean {
  return (
    error instanceof OrderExistsError ||
    error instanceof StatusConflictError ||
    error instanceof ClaimLostError
  );
}

/** After a commit whose answer never came: whether the purchase is in the database with this attempt's claim. */
async function isAccepted(
  dependencies: PlaceOnDemandDependencies,
  { purchase }: OnDemandCandidate,
): Promise<boolean> {
  const finding = untilLeaseEnds(dependencies, purchase, () =>
    findPurchase(dependencies.database, purchase.orderId),
  );
  const found = await finding.catch(() => null);
  return found !== null && found.claim === purchase.claim && found.leased;
}

/** @throws {DomainError} why the buyer gets no codes, or none yet. */
function placed(completion: Completion): PlacedOrder {
  switch (completion.kind) {
    case "delivered":
      return { order: completion.order, reused: false };
    case "ended":
      throw refusalOf(completion.order);
    case "pending":
      throw new SupplierUnavailableError();
    case "not-written":
      throw new OrderCommitPendingError();
  }
}

function refusalOf(order: EndedOrder): DomainError {
  if (order.status === "failed") return IdempotencyConflictError.closed(order);
  switch (order.errorCode) {
    case "out_of_stock":
      return new OutOfStockError(order.productId, order.qty);
    case "supplier_price_changed":
      return new SupplierPriceChangedError();
    case "supplier_not_configured":
      return new SupplierNotConfiguredError();
    case "supplier_unavailable":
      return new SupplierUnavailableError();
  }
}
