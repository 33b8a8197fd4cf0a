import { toApiOrder } from "./convert-order.ts";
import { operation } from "./operation.ts";

export const getOrder = operation("getOrder", async ({ principal, path }, { orders }) =>
  toApiOrder(await orders.get(principal.accountId, path.id), { reused: false }),
);
