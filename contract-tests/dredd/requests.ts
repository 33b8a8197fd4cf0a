/** What a running shop must offer so that every answer below can be asked for. */
export interface ShopFacts {
  orderingKey: string;
  /** A key without the scope `shop:order`. */
  generalKey: string;
  /** A key of an account that has used up its requests of this minute. */
  exhaustedKey: string;
  /** In stock, and cheaper than the available balance. */
  productId: string;
  /** In stock, and dearer than the available balance. */
  dearProductId: string;
  orderId: string;
}

/** What a request needs beyond its method and path template. */
export interface RequestParts {
  key: string | null;
  /** Fills `{id}` of the path. */
  id?: string;
  query?: string;
  body?: object;
}

/** The request that must lead to that answer of an operation; undefined where no plain request can. */
export function requestFor(operationId: string, status: number, shop: ShopFacts): RequestParts | undefined {
  const usual = usualRequests(shop)[operationId];
  if (!usual) return undefined;
  if (status === 200) return usual;
  if (status === 401) return { ...usual, key: null };
  if (status === 429) return { ...usual, key: shop.exhaustedKey };
  const change = changes(shop)[`${operationId} ${status}`];
  return change && { ...usual, ...change, ...(usual.body && { body: { ...usual.body, ...change.body } }) };
}

function usualRequests({ orderingKey, productId, orderId }: ShopFacts): Record<string, RequestParts> {
  const key = orderingKey;
  return {
    getPricing: { key: null },
    listProducts: { key },
    checkAvailability: { key, id: productId, query: "qty=2" },
    getBalance: { key },
    createOrder: { key, body: { externalOrderId: "dredd-1", productId, qty: 2 } },
    listOrders: { key, query: "limit=1" },
    getOrder: { key, id: orderId },
  };
}

function changes({ generalKey, dearProductId }: ShopFacts): Record<string, Partial<RequestParts>> {
  return {
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
  };
}
