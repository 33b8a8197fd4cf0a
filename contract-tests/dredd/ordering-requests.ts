import type { Requests } from "./requests.ts";

/** What a running shop must offer so that every answer below can be asked for. */
interface ShopFacts {
  orderingKey: string;
  /** A key without the scope `shop:order`. */
  generalKey: string;
  /** See {@link Requests}. */
  exhaustedKey: string;
  /** In stock, and cheaper than the available balance. */
  productId: string;
  /** In stock, and dearer than the available balance. */
  dearProductId: string;
  orderId: string;
}

/** The requests of the ordering interface. */
export function orderingRequests(shop: ShopFacts): Requests {
  const { orderingKey: key, generalKey, productId, dearProductId, orderId, exhaustedKey } = shop;
  return {
    exhaustedKey,
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
      "checkAvailability 400": { query: "qty=0" },
      "checkAvailability 404": { id: "no-such-product" },
      "createOrder 400": { body: { qty: 0 } },
      "createOrder 402": { body: { externalOrderId: "dredd-2", productId: dearProductId, qty: 1 } },
      "createOrder 403": { key: generalKey },
      "createOrder 404": { body: { externalOrderId: "dredd-3", productId: "no-such-product" } },
      "createOrder 409": { body: { externalOrderId: "dredd-4", expectedUnitPrice: "9999.99" } },
      "listOrders 400": { query: "limit=101" },
      "listOrders 403": { key: generalKey },
      "getOrder 403": { key: generalKey },
      "getOrder 404": { id: "no-such-order" },
    },
  };
}
