import type { components } from "../../../generated/ordering/types.ts";
import { unixSeconds } from "../../clock.ts";
import type { Caller } from "../../keys/api-key.ts";
import { formatDecimalMoney } from "../../money/microcents.ts";
import type { OrderPage } from "../../orders/buyer-orders.ts";
import type { OrderWithCodes } from "../../orders/order.ts";
import type { OrderStatus } from "../../orders/order-status.ts";
import type { OrderRequest } from "../../orders/rules.ts";
import type { SameValues } from "../same-values.ts";

type Schemas = components["schemas"];

const STATUSES: SameValues<Schemas["OrderStatus"], OrderStatus> = {
  processing: "processing",
  retryable: "retryable",
  delivered: "delivered",
  failed: "failed",
  refunded: "refunded",
};

export function toOrderRequest(body: Schemas["OrderRequest"], caller: Caller): OrderRequest {
  return {
    caller,
    externalOrderId: body.externalOrderId,
    productId: body.productId,
    qty: body.qty,
    expectedUnitPrice: body.expectedUnitPrice ?? null,
  };
}

export function toApiOrder(order: OrderWithCodes, { reused }: { reused: boolean }): Schemas["Order"] {
  return {
    orderId: order.orderId,
    externalOrderId: order.externalOrderId,
    productId: order.productId,
    productName: order.productName,
    qty: order.qty,
    unitPrice: formatDecimalMoney(order.unitPriceMicrocents),
    amount: formatDecimalMoney(order.amountMicrocents),
    currency: "USD",
    status: STATUSES[order.status],
    codes: [...order.codes],
    redeemUrl: order.redeemUrl,
    errorCode: order.errorCode,
    createdAt: unixSeconds(order.createdAtMs),
    deliveredAt: order.deliveredAtMs === null ? null : unixSeconds(order.deliveredAtMs),
    reused,
  };
}

/** A page of orders; a list never shows codes. */
export function toApiOrderList({ orders, nextCursor }: OrderPage): Schemas["OrderList"] {
  return {
    orders: orders.map((order) => toApiOrder({ ...order, codes: [] }, { reused: false })),
    hasMore: nextCursor !== null,
    nextCursor,
  };
}
