import type { LiveShop } from "./live-shop.ts";
import type { Requests } from "./requests.ts";

/** The requests of the ordering interface. */
export function orderingRequests({ keys, products, orderId }: LiveShop): Requests {
  const { ordering: key, general, proxy, revoked, suspended, supplied, exhausted } = keys;
  const { inStock: productId, dear, withoutSupplier } = products;
  return {
    exhaustedKey: exhausted,
    usual: {
      getPricing: { key: null },
      listProducts: { key },
      checkAvailability: { key, id: productId, query: "qty=2" },
      getBalance: { key },
      createOrder: { key, body: { externalOrderId: "dredd-1", productId, qty: 2 } },
      listOrders: { key, query: "limit=1" },
      getOrder: { key, id: orderId },
    },
    changes: {
      "listProducts 403": { key: proxy },
      "listProducts 503": { key: supplied },
      "checkAvailability 400": { query: "qty=0" },
      "checkAvailability 401": { key: suspended },
      "checkAvailability 403": { key: proxy },
      "checkAvailability 404": { id: "no-such-product" },
      "checkAvailability 503": { key: supplied, id: withoutSupplier },
      "getBalance 401": { key: suspended },
      "getBalance 403": { key: proxy },
      "createOrder 400": { body: { qty: 0 } },
      "createOrder 401": { key: revoked },
      "createOrder 402": { body: { externalOrderId: "dredd-2", productId: dear, qty: 1 } },
      "createOrder 403": { key: general },
      "createOrder 404": { body: { externalOrderId: "dredd-3", productId: "no-such-product" } },
      "createOrder 409": { body: { externalOrderId: "dredd-4", expectedUnitPrice: "9999.99" } },
      "createOrder 500": { body: { externalOrderId: "dredd-5" }, stage: "no database" },
      "createOrder 503": {
        key: supplied,
        body: { externalOrderId: "dredd-6", productId: withoutSupplier, qty: 1 },
      },
      "listOrders 400": { query: "limit=101" },
      "listOrders 401": { key: revoked },
      "listOrders 403": { key: general },
      "getOrder 401": { key: revoked },
      "getOrder 403": { key: proxy },
      "getOrder 404": { id: "no-such-order" },
    },
  };
}
