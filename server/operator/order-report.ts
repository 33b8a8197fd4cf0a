import { formatUsd, multiply } from "../money/microcents.ts";
import type { Order } from "../orders/order.ts";
import type { Purchase } from "../orders/purchase.ts";
import { details, isoTime } from "./report.ts";

/** An order as programs read it. */
export function orderJson(order: Order) {
  return {
    orderId: order.orderId,
    externalOrderId: order.externalOrderId,
    accountId: order.accountId,
    keyId: order.keyId,
    productId: order.productId,
    productName: order.productName,
    qty: order.qty,
    unitPrice: formatUsd(order.unitPriceMicrocents),
    amount: formatUsd(order.amountMicrocents),
    status: order.status,
    redeemUrl: order.redeemUrl,
    errorCode: order.errorCode,
    createdAt: isoTime(order.createdAtMs),
    deliveredAt: isoTime(order.deliveredAtMs),
    refundedAt: isoTime(order.refundedAtMs),
  };
}

/** One order and, when it is bought on demand, its purchase. */
export function orderReport(order: Order, purchase: Purchase | null) {
  const json = {
    ...orderJson(order),
    ...(purchase === null ? {} : { purchase: purchaseJson(order, purchase) }),
  };
  const text = details({
    Order: json.orderId,
    Status: json.status,
    Account: json.accountId,
    Key: json.keyId,
    "Buyer's id": json.externalOrderId,
    Product: json.productId,
    Name: json.productName,
    Quantity: json.qty,
    "Unit price USD": json.unitPrice,
    "Amount USD": json.amount,
    "Redeem URL": json.redeemUrl,
    Error: json.errorCode,
    Created: json.createdAt,
    Delivered: json.deliveredAt,
    Refunded: json.refundedAt,
    ...(json.purchase === undefined ? {} : purchaseLines(json.purchase)),
  });
  return { json, text };
}

function purchaseJson({ status, qty }: Order, purchase: Purchase) {
  const processing = status === "processing";
  const due = isoTime(purchase.dueAtMs);
  return {
    supplierId: purchase.supplierId,
    supplierProductId: purchase.supplierProductId,
    supplierOrderId: purchase.supplierOrderId,
    unitCost: formatUsd(purchase.unitCostMicrocents),
    cost: formatUsd(multiply(purchase.unitCostMicrocents, qty)),
    attempts: purchase.attempts,
    processingSince: processing ? isoTime(purchase.processingSinceMs) : null,
    underWay: purchase.leased,
    nextAttempt: processing ? due : null,
    closes: status === "retryable" ? due : null,
  };
}

function purchaseLines(purchase: ReturnType<typeof purchaseJson>) {
  const { underWay, nextAttempt, closes } = purchase;
  return {
    Supplier: purchase.supplierId,
    "Supplier's product": purchase.supplierProductId,
    "Supplier's order": purchase.supplierOrderId,
    "Unit cost USD": purchase.unitCost,
    "Cost USD": purchase.cost,
    Attempts: purchase.attempts,
    "Processing since": purchase.processingSince,
    "Next attempt": underWay ? `under way, at the latest ${nextAttempt}` : nextAttempt,
    ...(closes === null ? {} : { "Closed if not sent again by": closes }),
  };
}
