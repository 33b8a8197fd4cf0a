import { createOrderingClient } from "../../client/ordering-client.ts";
import type { operations } from "../../generated/ordering/types.ts";
import { testEveryExample } from "../prism/every-example.ts";

// A call of every operation; one that is missing does not compile.
testEveryExample<keyof operations>("ordering", (baseUrl, fetch) => {
  const client = createOrderingClient({ baseUrl, apiKey: "svc_sk_any", fetch });
  return {
    getPricing: () => client.getPricing(),
    listProducts: () => client.listProducts(),
    checkAvailability: () => client.checkAvailability("pen"),
    getBalance: () => client.getBalance(),
    createOrder: () => client.createOrder({ externalOrderId: "a-1", productId: "pen", qty: 1 }),
    listOrders: () => client.listOrders(),
    getOrder: () => client.getOrder("ord_1"),
  };
});
