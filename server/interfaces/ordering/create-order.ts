import { toApiOrder, toOrderRequest } from "./convert-order.ts";
import { operation } from "./operation.ts";

export const createOrder = operation(
  "createOrder",
  async ({ body, principal }, { orders }) => {
    const { order, reused } = await orders.place(toOrderRequest(body, principal));
    return toApiOrder(order, { reused });
  },
  // Placing an order has a deadline of its own, and goes on after it.
  { deadlineMs: null },
);
