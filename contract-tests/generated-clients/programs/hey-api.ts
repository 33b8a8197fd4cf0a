import { createClient } from "./generated/hey-api/client/index.ts";
import {
  checkAvailability,
  createOrder,
  getBalance,
  listOrders,
  listProducts,
} from "./generated/hey-api/sdk.gen.ts";
import type { CreateOrderErrors, OrderRequest } from "./generated/hey-api/types.gen.ts";
import type { Program } from "./purchase.ts";

/** Buys through functions of @hey-api/openapi-ts, which validate answers with zod. */
export const program: Program = async ({ baseUrl, apiKey, productId, prefix }) => {
  const client = createClient({ baseUrl, auth: apiKey });
  const { data } = await listProducts({ client, throwOnError: true });
  const product = data.products.find(({ id }) => id === productId);
  if (product === undefined) throw new Error("The product is not in the list.");

  const order: OrderRequest = {
    externalOrderId: `${prefix}-1`,
    productId,
    qty: 2,
    expectedUnitPrice: product.price,
  };
  const bought = await createOrder({ client, body: order, throwOnError: true });
  const repeated = await createOrder({ client, body: order, throwOnError: true });
  await createOrder({
    client,
    body: { externalOrderId: `${prefix}-2`, productId, qty: 1 },
    throwOnError: true,
  });

  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = cursor === undefined ? { limit: 1 } : { limit: 1, cursor };
    const page = await listOrders({ client, query, throwOnError: true });
    pages.push(page.data.orders.map(({ externalOrderId }) => externalOrderId));
    cursor = page.data.nextCursor;
  }

  const changed = await createOrder({
    client,
    body: { ...order, externalOrderId: `${prefix}-3`, expectedUnitPrice: "0.01" },
  });
  const missing = await checkAvailability({ client, path: { id: "no-such-product" } });
  const stranger = await getBalance({ client, auth: "svc_sk_wrong" });
  const conflict = changed.response?.status === 409 ? (changed.error as CreateOrderErrors[409]) : undefined;
  return {
    price: product.price,
    nextThresholdMicrocents: data.level.nextLevel?.thresholdMicrocents ?? null,
    codes: bought.data.codes,
    repeatedCodes: repeated.data.reused ? repeated.data.codes : [],
    pages,
    errors: [
      conflict === undefined ? "" : tellConflict(conflict),
      missing.error?.error ?? "",
      stranger.error?.error ?? "",
    ],
  };
};

/** Compiles only while it knows every conflict. */
function tellConflict({ error }: CreateOrderErrors[409]): string {
  switch (error) {
    case "price_changed":
    case "idempotency_conflict":
    case "out_of_stock":
    case "supplier_price_changed":
      return error;
  }
}
