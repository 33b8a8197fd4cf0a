import { withDefault } from "../../http/operation.ts";
import { toApiOrderList } from "./convert-order.ts";
import { operation } from "./operation.ts";

export const listOrders = operation("listOrders", async ({ principal, query }, { orders }) =>
  toApiOrderList(await orders.page(principal.accountId, { ...query, limit: withDefault(query.limit) })),
);
