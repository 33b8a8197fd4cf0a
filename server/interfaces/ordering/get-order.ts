import { toApiOrder } from "./convert-order.ts";
import { operation } from "./operation.ts";

export const getOrder = operation("getOrder", async ({ caller, path }, { orders }) =>
  toApiOrder(await orders.get(caller.accountId, path.id), { reused: false }),
);
