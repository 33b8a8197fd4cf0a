import { withDefault } from "../../http/operation.ts";
import { toApiOrderList } from "./convert-order.ts";
import { operation } from "./operation.ts";

export const listOrders = operation("listOrders", async ({ principal, query }, { orders }) =>
  toApiOrderList(
    await orders.page(principal.accountId, {
      limit: withDefault(query.limit),
      cursor: query.cursor,
      externalOrderId: query.externalOrderId,
    }),
  ),
);
