import type { operations } from "../../../generated/ordering/types.ts";
import type { OperationHandlers } from "../../http/operation.ts";
import { checkAvailability } from "./check-availability.ts";
import { createOrder } from "./create-order.ts";
import { getBalance } from "./get-balance.ts";
import { getOrder } from "./get-order.ts";
import { getPricing } from "./get-pricing.ts";
import { listOrders } from "./list-orders.ts";
import { listProducts } from "./list-products.ts";
import type { OrderingServices } from "./services.ts";

/** The handler of every operation of the ordering interface. */
export const ORDERING_HANDLERS: OperationHandlers<operations, OrderingServices> = {
  getPricing,
  listProducts,
  checkAvailability,
  getBalance,
  createOrder,
  listOrders,
  getOrder,
};
