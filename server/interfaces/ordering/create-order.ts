import { toApiOrder, toOrderRequest } from "./convert-order.ts";
import { operation } from "./operation.ts";

export const createOrder = operation("createOrder", async ({ body, caller }, { orders }) => {
  const { order, reused } = await orders.place(toOrderRequest(body, caller));
  return toApiOrder(order, { reused });
});
