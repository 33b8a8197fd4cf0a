import { type BuyerOrdersDependencies, createBuyerOrders } from "./buyer-orders.ts";
import { type CompletePurchaseDependencies, createCompletePurchase } from "./complete-purchase.ts";
import { createOpenOrder, type OpenOrderDependencies } from "./open-order.ts";
import { createOrderAdministration, type OrderAdministrationDependencies } from "./order-administration.ts";
import { createPlaceOrder, type PlaceOrderDependencies } from "./place-order.ts";
import { type RecoveryDependencies, type RecoverySettings, startRecovery } from "./recovery.ts";

/** What orders need of the rest of the service. */
export type OrdersDependencies = Omit<
  BuyerOrdersDependencies &
    PlaceOrderDependencies &
    OpenOrderDependencies &
    CompletePurchaseDependencies &
    RecoveryDependencies &
    OrderAdministrationDependencies,
  "placeOrder" | "openOrder" | "completePurchase"
>;

/** Wires what buyers and operators do with orders, and what carries on the orders that were left. */
export function createOrders(given: OrdersDependencies) {
  const openOrder = createOpenOrder(given);
  const completePurchase = createCompletePurchase(given);
  const dependencies = { ...given, openOrder, completePurchase };
  const placeOrder = createPlaceOrder(dependencies);
  return {
    orders: {
      ...createBuyerOrders({ ...dependencies, placeOrder }),

      /** See {@link startRecovery}. */
      startRecovery: (settings: RecoverySettings) => startRecovery(dependencies, settings),
    },
    orderAdministration: createOrderAdministration(given),
  };
}
