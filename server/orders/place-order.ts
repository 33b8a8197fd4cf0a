import { createAttempts } from "./attempts.ts";
import { type JudgeRequestDependencies, judgeRequest } from "./judge-request.ts";
import { createKnownOrders, type KnownOrdersDependencies } from "./known-orders.ts";
import type { PlacedOrder } from "./order.ts";
import { createPlaceFromStock, type PlaceFromStockDependencies } from "./place-from-stock.ts";
import { createPlaceOnDemand, type PlaceOnDemandDependencies } from "./place-on-demand.ts";
import type { OrderRequest } from "./rules.ts";

/** What placing orders needs. */
export type PlaceOrderDependencies = Omit<KnownOrdersDependencies, "attempts"> &
  Omit<JudgeRequestDependencies & PlaceFromStockDependencies & PlaceOnDemandDependencies, "knownOrders">;

/**
 * Places an order: for a product sold from stock in one transaction, for one bought on demand with its supplier. The checks
 * come in the order that the interface promises: known id, product, price, single-order cap, stock, daily cap, balance. A
 * request that is refused before anything was held leaves no trace.
 * @throws {DomainError} it is refused.
 */
export type PlaceOrder = (request: OrderRequest) => Promise<PlacedOrder>;

/** Wires the ways in which an order is placed. */
export function createPlaceOrder(given: PlaceOrderDependencies): PlaceOrder {
  const attempts = createAttempts();
  const dependencies = { ...given, knownOrders: createKnownOrders({ ...given, attempts }) };
  const placeFromStock = createPlaceFromStock(dependencies);
  const { placeOnDemand, resumeOrder } = createPlaceOnDemand(dependencies);
  const place = async (request: OrderRequest): Promise<PlacedOrder> => {
    const judged = await judgeRequest(dependencies, request);
    switch (judged.kind) {
      case "from-stock":
        return placeFromStock(judged);
      case "on-demand":
        return placeOnDemand(judged);
      case "resume":
        return resumeOrder(judged.known.order.orderId);
      case "replay":
        return { order: await given.openOrder(judged.known), reused: true };
    }
  };
  return (request) => {
    const attempt = { ...request };
    return attempts.during(attempt, () => place(attempt));
  };
}
