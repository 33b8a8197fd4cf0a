import type { Accounts } from "../../accounts/accounts.ts";
import type { Products } from "../../catalog/products.ts";
import type { Clock } from "../../clock.ts";
import type { BuyerOrders } from "../../orders/buyer-orders.ts";

/** The use cases that the handlers of this interface call. */
export interface OrderingServices {
  readonly accounts: Pick<Accounts, "get">;
  readonly products: Pick<Products, "list" | "offer" | "offers">;
  readonly orders: Pick<BuyerOrders, "place" | "get" | "page">;
  readonly clock: Clock;
}
