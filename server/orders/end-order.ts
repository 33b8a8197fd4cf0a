import type { KeyObject } from "node:crypto";
import type { Clock } from "../clock.ts";
import { combinedTransaction } from "../database/combined-transaction.ts";
import type { Database } from "../database/database.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { reduceDailySpend } from "../keys/key-store.ts";
import type { Hold } from "../ledger/funds.ts";
import { releaseHold, settleHolds } from "../ledger/hold-store.ts";
import type { Log } from "../log.ts";
import { formatUsd } from "../money/microcents.ts";
import type { Cipher } from "../stock/code-cipher.ts";
import type { RefusalReason, SuppliedCodes } from "../suppliers/supplier.ts";
import type { Order, OrderWithCodes } from "./order.ts";
import { type DeliveryColumns, findOrder, markDelivered, markFailed, markRetryable } from "./order-store.ts";
import {
  type ClaimedPurchase,
  type Purchase,
  type PurchaseTimes,
  type RefusalCode,
  refusalCode,
} from "./purchase.ts";
import {
  DuplicateCodeError,
  findPurchase,
  insertPurchasedCodes,
  markNotPurchased,
  markPurchased,
  type PurchasedCode,
} from "./purchase-store.ts";
import { encryptCodes } from "./purchased-code.ts";

/** What delivering orders needs. */
export interface DeliverOrderDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly cipher: Pick<Cipher, "encrypt" | "decrypt">;
  readonly fingerprintKey: () => Promise<KeyObject>;
  readonly log: Log;
}

/** What releasing orders needs. */
export interface ReleaseOrderDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly times: Pick<PurchaseTimes, "retryableMs">;
}

/** An order that is to be delivered, with its codes as they are stored. */
export interface Delivery {
  readonly order: Order & DeliveryColumns;
  readonly purchase: Purchase;
  readonly supplied: SuppliedCodes;
  readonly codes: readonly PurchasedCode[];
}

/** An order that has ended without a purchase, and why. */
export type EndedOrder = Order & { readonly status: "retryable" | "failed"; readonly errorCode: RefusalCode };

/**
 * processing → delivered: charges the order, stores its codes and gives up the hold, in one transaction.
 * @returns null when what the supplier sent cannot be sold.
 */
export type DeliverOrder = (
  claimed: ClaimedPurchase,
  supplied: SuppliedCodes,
) => Promise<OrderWithCodes | null>;

/** Orders that are delivered at the same time share a transaction. */
export function createDeliverOrder(dependencies: DeliverOrderDependencies): DeliverOrder {
  const { database, log } = dependencies;
  const write = combinedTransaction(database, writeDeliveries, {
    rowsOf: ({ order }) => [order.accountId],
    contestedOf: ({ order }) => order.accountId,
  });
  return async ({ order, purchase, redeemUrl: ownRedeemUrl }, supplied) => {
    const { orderId, accountId } = order;
    const { supplierId } = purchase;
    const redeemUrl = ownRedeemUrl ?? supplied.redeemUrl;
    if (redeemUrl === null) {
      log.error({ orderId, supplierId }, "supplier delivered without a redeem URL; set the product's own");
      return null;
    }
    await reportCost(dependencies, purchase, supplied);
    const codes = await sealed(dependencies, order, supplied);
    const deliveredAtMs = dependencies.clock();
    const delivered = { ...order, status: "delivered", redeemUrl, errorCode: null, deliveredAtMs } as const;
    try {
      await endingOnce(database, delivered, write({ order: delivered, purchase, supplied, codes }));
    } catch (error) {
      if (!(error instanceof DuplicateCodeError)) throw error;
      log.error({ orderId, supplierId, accountId }, "supplier delivered a code that was sold before");
      return null;
    }
    return { ...delivered, codes: supplied.codes };
  };
}

async function sealed(
  { cipher, fingerprintKey }: DeliverOrderDependencies,
  order: Order,
  { codes }: SuppliedCodes,
): Promise<PurchasedCode[]> {
  return encryptCodes({ cipher, fingerprintKey: await fingerprintKey() }, order, codes);
}

/** Tells the operator of a cost that was not agreed to; what is bought is delivered all the same. */
async function reportCost(
  { database, log }: DeliverOrderDependencies,
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
 * @param record what else that transaction writes, as its last.
 */
export async function releaseOrder(
  { database, clock, times }: ReleaseOrderDependencies,
  { order, purchase }: ClaimedPurchase,
  reason: RefusalReason,
  record: (tx: Transaction) => Promise<void> = async () => {},
): Promise<EndedOrder> {
  const nowMs = clock();
  const errorCode = refusalCode(reason);
  const status = reason === "closed" ? "failed" : "retryable";
  const closesAtMs = status === "failed" ? null : nowMs + times.retryableMs;
  const ended: EndedOrder = { ...order, status, errorCode };
  const releasing = transaction(database, async (tx) => {
    if (status === "failed") await markFailed(tx, order.orderId, "processing", errorCode);
    else await markRetryable(tx, order.orderId, errorCode);
    await markNotPurchased(tx, purchase, closesAtMs);
    await releaseHold(tx, { ...holdOf(order), closedAtMs: nowMs });
    await reduceDailySpend(tx, order.keyId, order.spendDay, order.amountMicrocents);
    await record(tx);
  });
  await endingOnce(database, ended, releasing);
  return ended;
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
 * Waits for the transaction that ends an order. Where its outcome is in doubt the database is asked: whichever attempt
 * ended the order in this way, the same request id means the same codes.
 */
async function endingOnce(database: Database, ended: Order, ending: Promise<void>): Promise<void> {
  try {
    await ending;
  } catch (error) {
    if (error instanceof DuplicateCodeError) throw error;
    const found = await findOrder(database, ended.orderId);
    if (found?.status !== ended.status) throw error;
  }
}

/** What is set aside for an order. */
export function holdOf(order: Order): Hold {
  return { accountId: order.accountId, reference: order.orderId, amountMicrocents: order.amountMicrocents };
}
