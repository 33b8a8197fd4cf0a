import type { components } from "../../../generated/account/types.ts";
import { formatDecimalMoney } from "../../money/microcents.ts";
import type { OrderPage } from "../../orders/buyer-orders.ts";
import type { Order } from "../../orders/order.ts";
import { toApiTime } from "../convert-time.ts";

type Schemas = components["schemas"];

/** An order; its codes are none of its fields. */
export function toApiOrder(order: Order): Schemas["Order"] {
  return {
    orderId: order.orderId,
    externalOrderId: order.externalOrderId,
    keyId: order.keyId,
    productId: order.productId,
    productName: order.productName,
    qty: order.qty,
    unitPrice: formatDecimalMoney(order.unitPriceMicrocents),
    amount: formatDecimalMoney(order.amountMicrocents),
    currency: "USD",
    status: order.status,
    errorCode: order.errorCode,
    createdAt: toApiTime(order.createdAtMs),
    deliveredAt: toApiTime(order.deliveredAtMs),
    refundedAt: toApiTime(order.refundedAtMs),
  };
}

export function toApiOrderList({ orders, nextCursor }: OrderPage): Schemas["OrderList"] {
  return { orders: orders.map(toApiOrder), hasMore: nextCursor !== null, nextCursor };
}
