import type { operations } from "../../generated/ordering/types.ts";
import { getBalance } from "../accounts/get-balance.ts";
import { checkAvailability } from "../catalog/check-availability.ts";
import { getPricing } from "../catalog/get-pricing.ts";
import { listProducts } from "../catalog/list-products.ts";
import { createOrder } from "../orders/create-order.ts";
import { getOrder } from "../orders/get-order.ts";
import { listOrders } from "../orders/list-orders.ts";
import type { OperationHandlers } from "./operation.ts";

/** The handler of every operation of the ordering interface. */
export const ORDERING_HANDLERS: OperationHandlers<operations> = {
  getPricing,
  listProducts,
  checkAvailability,
  getBalance,
  createOrder,
  listOrders,
  getOrder,
};
