import {
  checkAvailability,
  createOrder,
  getBalance,
  listOrders,
  listProducts,
  type OrderConflictResponse,
  type OrderRequest,
} from "./generated/orval/shop.ts";
import { useAccess } from "./orval-sender.ts";
import type { Program } from "./purchase.ts";

/** Buys through functions of orval's fetch client, whose answers are told apart by their status. */
export const program: Program = async ({ baseUrl, apiKey, productId, prefix }) => {
  useAccess({ baseUrl, apiKey });
  const list = await listProducts();
  if (list.status !== 200) throw new Error(`${list.data.error}: ${list.data.message}`);
  const product = list.data.products.find(({ id }) => id === productId);
  if (product === undefined) throw new Error("The product is not in the list.");

  const buy = async (order: OrderRequest) => {
    const answer = await createOrder(order);
    if (answer.status !== 200) throw new Error(`${answer.data.error}: ${answer.data.message}`);
    return answer.data;
  };
  const order = { externalOrderId: `${prefix}-1`, productId, qty: 2, expectedUnitPrice: product.price };
  const bought = await buy(order);
  const repeated = await buy(order);
  await buy({ externalOrderId: `${prefix}-2`, productId, qty: 1 });

  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listOrders(cursor === undefined ? { limit: 1 } : { limit: 1, cursor });
    if (page.status !== 200) throw new Error(page.data.error);
    pages.push(page.data.orders.map(({ externalOrderId }) => externalOrderId));
    cursor = page.data.nextCursor;
  }

  const changed = await createOrder({
    ...order,
    externalOrderId: `${prefix}-3`,
    expectedUnitPrice: "0.01",
  });
  const missing = await checkAvailability("no-such-product");
  useAccess({ baseUrl, apiKey: "svc_sk_wrong" });
  const stranger = await getBalance();
  return {
    price: product.price,
    nextThresholdMicrocents: list.data.level.nextLevel?.thresholdMicrocents ?? null,
    codes: bought.codes,
    repeatedCodes: repeated.reused ? repeated.codes : [],
    pages,
    errors: [
      changed.status === 409 ? tellConflict(changed.data) : "",
      missing.status === 404 ? missing.data.error : "",
      stranger.status === 401 ? stranger.data.error : "",
    ],
  };
};

/** Compiles only while it knows every conflict. */
function tellConflict({ error }: OrderConflictResponse): string {
  switch (error) {
    case "price_changed":
    case "idempotency_conflict":
    case "out_of_stock":
    case "supplier_price_changed":
      return error;
  }
}
