import createClient from "openapi-fetch";
import type { components, paths } from "./generated/openapi-typescript/shop.ts";
import type { Program } from "./purchase.ts";

/** Buys with openapi-fetch over the types of openapi-typescript. */
export const program: Program = async ({ baseUrl, apiKey, productId, prefix }) => {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });
  const list = await client.GET("/products");
  if (list.error) throw new Error(`${list.error.error}: ${list.error.message}`);
  const product = list.data.products.find(({ id }) => id === productId);
  if (product === undefined) throw new Error("The product is not in the list.");

  const buy = async (body: components["schemas"]["OrderRequest"]) => {
    const { data, error } = await client.POST("/orders", { body });
    if (error) throw new Error(`${error.error}: ${error.message}`);
    return data;
  };
  const order = { externalOrderId: `${prefix}-1`, productId, qty: 2, expectedUnitPrice: product.price };
  const bought = await buy(order);
  const repeated = await buy(order);
  await buy({ externalOrderId: `${prefix}-2`, productId, qty: 1 });

  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = cursor === undefined ? { limit: 1 } : { limit: 1, cursor };
    const page = await client.GET("/orders", { params: { query } });
    if (page.error) throw new Error(page.error.error);
    pages.push(page.data.orders.map(({ externalOrderId }) => externalOrderId));
    cursor = page.data.nextCursor;
  }

  const changed = await client.POST("/orders", {
    body: { ...order, externalOrderId: `${prefix}-3`, expectedUnitPrice: "0.01" },
  });
  const missing = await client.GET("/products/{id}/availability", {
    params: { path: { id: "no-such-product" } },
  });
  const stranger = await client.GET("/balance", { headers: { Authorization: "Bearer svc_sk_wrong" } });
  const conflict = changed.response.status === 409 ? (changed.error as Conflict) : undefined;
  return {
    price: product.price,
    nextThresholdMicrocents: list.data.level.nextLevel?.thresholdMicrocents ?? null,
    codes: bought.codes,
    repeatedCodes: repeated.reused ? repeated.codes : [],
    pages,
    errors: [
      conflict === undefined ? "" : tellConflict(conflict),
      missing.error?.error ?? "",
      stranger.error?.error ?? "",
    ],
  };
};

type Conflict = paths["/orders"]["post"]["responses"][409]["content"]["application/json"];

/** Compiles only while it knows every conflict. */
function tellConflict({ error }: Conflict): string {
  switch (error) {
    case "price_changed":
    case "idempotency_conflict":
    case "out_of_stock":
    case "supplier_price_changed":
      return error;
  }
}
