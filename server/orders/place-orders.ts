import { judgeRequest, type Placed, type PlacingContext } from "./judge-request.ts";
import { outcomeOf, placeFromStock } from "./place-from-stock.ts";
import { placeOnDemand, resumeOrder } from "./place-on-demand.ts";
import type { OrderRequest } from "./rules.ts";

/**
 * Places orders, each judged on its own: those for products sold from stock in one transaction where that can be, those
 * for products bought on demand each with its supplier. The checks of one request come in the order that the interface
 * promises: known id, product, price, single-order cap, stock, daily cap, balance. A request that is refused before
 * anything was held leaves no trace.
 * @returns one outcome per request, in the order of the requests. Throws only what nobody foresees.
 */
export async function placeOrders(
  context: PlacingContext,
  requests: readonly OrderRequest[],
): Promise<Placed[]> {
  const judged = await Promise.all(requests.map((request) => judgeRequest(context, request)));
  const fromStock = placeFromStock(
    context,
    judged.filter((outcome) => outcome.kind === "from-stock"),
  );
  return Promise.all(
    judged.map(async (outcome) => {
      switch (outcome.kind) {
        case "from-stock":
          return outcomeOf(await fromStock, outcome);
        case "on-demand":
          return placeOnDemand(context, outcome);
        case "resume":
          return resumeOrder(context, outcome.order.orderId);
        case "placed":
          return outcome.placed;
      }
    }),
  );
}
