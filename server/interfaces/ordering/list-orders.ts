import { withDefault } from "../../http/operation.ts";
import { toApiOrderList } from "./convert-order.ts";
import { operation } from "./operation.ts";

export const listOrders = operation("listOrders", async ({ caller, query }, { orders }) =>
  toApiOrderList(await orders.page(caller.accountId, { ...query, limit: withDefault(query.limit) })),
);
