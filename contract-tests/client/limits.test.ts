import { expect, test } from "vitest";
import { createMemoryStore } from "../../client/memory-store.ts";
import { createOrderingClient } from "../../client/ordering-client.ts";
import { createPurchases } from "../../client/purchases.ts";
import { edgesOf } from "../boundaries/edges.ts";
import { openSpec } from "../fuzz/spec.ts";

// The limits that the client sees to by itself are those of the document, from both of their sides.

const spec = openSpec("ordering");
const edges = spec.operations
  .filter(({ operationId }) => operationId === "createOrder")
  .flatMap((operation) => edgesOf(spec, operation))
  .filter(({ place }) => place === "body");

const refusal = { error: "not_found", message: "There is no such product." };

test.each(edges)("$name at $limit, within it: $isWithin", async ({ name, value, isWithin }) => {
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    return Response.json(refusal, { status: 404 });
  };
  const client = createOrderingClient({
    baseUrl: "https://shop.example/shop/v1",
    ...{ apiKey: "svc_sk_any", fetch },
  });
  const { purchase } = createPurchases({ client, store: createMemoryStore() });
  const outcome = purchase({ externalOrderId: "a-1", productId: "pen", qty: 1, [name]: value });
  if (isWithin) await expect(outcome).resolves.toMatchObject({ kind: "refused" });
  else await expect(outcome).rejects.toThrow(RangeError);
  expect(sent).toBe(isWithin ? 1 : 0);
});
