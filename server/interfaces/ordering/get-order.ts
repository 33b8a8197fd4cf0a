import { operation } from "../../http/operation.ts";
import { toApiOrder } from "./convert-order.ts";

export const getOrder = operation("getOrder", async ({ caller, path }, { orders }) =>
  toApiOrder(await orders.get(caller.accountId, path.id), { reused: false }),
);
