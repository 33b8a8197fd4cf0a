import { judgeRequest, type Placed, type PlacingContext } from "./judge-request.ts";
import { placeFromStock } from "./place-from-stock.ts";
import { placeOnDemand, resumeOrder } from "./place-on-demand.ts";
import type { OrderRequest } from "./rules.ts";

/**
 * Places an order: for a product sold from stock in one transaction, for one bought on demand with its supplier. The checks
 * come in the order that the interface promises: known id, product, price, single-order cap, stock, daily cap, balance. A
 * request that is refused before anything was held leaves no trace. Throws only what nobody foresees.
 */
export async function placeOrder(context: PlacingContext, request: OrderRequest): Promise<Placed> {
  const judged = await judgeRequest(context, request);
  switch (judged.kind) {
    case "from-stock":
      return placeFromStock(context, judged);
    case "on-demand":
      return placeOnDemand(context, judged);
    case "resume":
      return resumeOrder(context, judged.order.orderId);
    case "placed":
      return judged.placed;
  }
}
