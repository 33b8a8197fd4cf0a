import { type Transaction, transaction } from "../database/transaction.ts";
import type { DomainError } from "../errors.ts";
import { takeBackDailySpend } from "../keys/key-store.ts";
import type { Hold } from "../ledger/funds.ts";
import { releaseHold, settleHolds } from "../ledger/hold-store.ts";
import { formatUsd } from "../money/microcents.ts";
import {
  SupplierNotConfiguredError,
  SupplierPriceChangedError,
  SupplierUnavailableError,
} from "../suppliers/errors.ts";
import type { RefusalReason, SuppliedCodes } from "../suppliers/supplier.ts";
import { IdempotencyConflictError, OutOfStockError } from "./errors.ts";
import type { Order, OrderWithCodes } from "./order.ts";
import { findOrder, markDelivered, markFailed, markRetryable } from "./order-store.ts";
import { type Purchase, type RefusalCode, refusalCode } from "./purchase.ts";
import type { ClaimedPurchase, Delivery, PurchaseContext } from "./purchase-context.ts";
import {
  CodeSoldBeforeError,
  findPurchase,
  insertPurchasedCodes,
  markNotPurchased,
  markPurchased,
} from "./purchase-store.ts";
import { sealCodes } from "./purchased-code.ts";

/**
 * processing → delivered: charges the order, stores its codes and gives up the hold, in one transaction.
 * @returns null when what the supplier sent cannot be sold.
 */
export async function deliverOrder(
  context: PurchaseContext,
  { order, purchase, redeemUrl: ownRedeemUrl }: ClaimedPurchase,
  supplied: SuppliedCodes,
): Promise<OrderWithCodes | null> {
  const { orderId, accountId } = order;
  const { supplierId } = purchase;
  const redeemUrl = ownRedeemUrl ?? supplied.redeemUrl;
  if (redeemUrl === null) {
    context.log.error(
      { orderId, supplierId },
      "supplier delivered without a redeem URL; set the product's own",
    );
    return null;
  }
  await reportCost(context, purchase, supplied);
  const fingerprintKey = await context.fingerprintKey();
  const codes = sealCodes({ cipher: context.cipher, fingerprintKey }, order, supplied.codes);
  const deliveredAtMs = context.clock();
  const delivered = { ...order, status: "delivered", redeemUrl, errorCode: null, deliveredAtMs } as const;
  try {
    await endingOnce(
      context,
      delivered,
      context.writes.deliver({ order: delivered, purchase, supplied, codes }),
    );
  } catch (error) {
    if (!(error instanceof CodeSoldBeforeError)) throw error;
    context.log.error({ orderId, supplierId, accountId }, "supplier delivered a code that was sold before");
    return null;
  }
  return { ...delivered, codes: supplied.codes };
}

/** Tells the operator of a cost that was not agreed to; what is bought is delivered all the same. */
async function reportCost(
  { database, log }: PurchaseContext,
  { orderId, supplierId, unitCostMicrocents, maxUnitCostMicrocents }: Purchase,
  supplied: SuppliedCodes,
): Promise<void> {
  const taken = supplied.unitCostMicrocents;
  const facts = { orderId, supplierId, unitCost: formatUsd(taken) };
  if (taken > maxUnitCostMicrocents) {
    log.error(
      { ...facts, maxUnitCost: formatUsd(maxUnitCostMicrocents) },
      "supplier took more than the maximum",
    );
    return;
  }
  if (taken === unitCostMicrocents) return;
  // Another cost may have been agreed to since the purchase was read.
  const agreed = (await findPurchase(database, orderId))?.unitCostMicrocents ?? unitCostMicrocents;
  if (taken === agreed) return;
  log.warn({ ...facts, agreedUnitCost: formatUsd(agreed) }, "supplier took another cost than was agreed");
}

/**
 * processing → retryable or failed: nothing was bought; gives back what was set aside, in one transaction.
 * @returns what the buyer is told.
 */
export async function releaseOrder(
  context: PurchaseContext,
  { order, purchase }: ClaimedPurchase,
  reason: RefusalReason,
): Promise<DomainError> {
  const nowMs = context.clock();
  const errorCode = refusalCode(reason);
  const status = reason === "closed" ? "failed" : "retryable";
  const closesAtMs = status === "failed" ? null : nowMs + context.times.retryableMs;
  const ended: Order = { ...order, status, errorCode };
  const releasing = transaction(context.database, async (tx) => {
    if (status === "failed") await markFailed(tx, order.orderId, "processing", errorCode);
    else await markRetryable(tx, order.orderId, errorCode);
    await markNotPurchased(tx, purchase, closesAtMs);
    await takeBackDailySpend(tx, order.keyId, order.spendDay, order.amountMicrocents);
    await releaseHold(tx, { ...holdOf(order), closedAtMs: nowMs });
  });
  await endingOnce(context, ended, releasing);
  return refusalOf(ended, errorCode);
}

/** The transaction that delivers orders. Locks: the orders' own rows, then the accounts. */
export async function writeDeliveries(tx: Transaction, deliveries: readonly Delivery[]): Promise<void> {
  const orders = deliveries.map(({ order }) => order);
  await markDelivered(tx, orders);
  await markPurchased(tx, deliveries);
  await insertPurchasedCodes(
    tx,
    deliveries.flatMap(({ codes }) => codes),
  );
  const settled = orders.map((order) => ({ ...holdOf(order), closedAtMs: order.deliveredAtMs }));
  await settleHolds(tx, settled, "order");
}

/**
 * Waits for the transaction that ends an order. Where its outcome is in doubt the database is asked: whoever ended the
 * order in this way, the same request id means the same codes.
 */
async function endingOnce({ database }: PurchaseContext, ended: Order, ending: Promise<void>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (error instanceof CodeSoldBeforeError) throw error;
    const found = await findOrder(database, ended.orderId);
    if (found?.status !== ended.status) throw error;
  }
}

/** What is set aside for an order. */
export function holdOf(order: Order): Hold {
  return { accountId: order.accountId, reference: order.orderId, amountMicrocents: order.amountMicrocents };
}

function refusalOf(order: Order, errorCode: RefusalCode): DomainError {
  if (order.status === "failed") return IdempotencyConflictError.closed(order);
  switch (errorCode) {
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
