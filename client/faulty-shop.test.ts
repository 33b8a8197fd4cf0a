import { expect, onTestFinished, test } from "vitest";
import { startSupplierSimulator } from "../server/simulators/supplier/supplier-simulator.ts";
import { faultSeed } from "../server/testing/faults/fault-runs.ts";
import { createMemoryStore } from "./memory-store.ts";
import { createOrderingClient } from "./ordering-client.ts";
import type { PurchaseOutcome } from "./purchase.ts";
import { createPurchases } from "./purchases.ts";

const BUYERS = 15;
const PURCHASES_OF_EACH = 10;
const PURCHASES = BUYERS * PURCHASES_OF_EACH;
/** Ends what hangs. What is merely slow may be cut off as well: that is one more fault. */
const TIMEOUT_MS = 500;

test("whatever breaks, every purchase is delivered once, with the codes that the shop has sold under its id", async () => {
  const shop = await startSupplierSimulator({
    products: [{ productId: "pen", unitPrice: "1.00", stock: null }],
  });
  onTestFinished(() => shop.close());
  shop.randomFaults({
    rate: 0.4,
    seed: faultSeed(),
    kinds: [
      "refuse",
      "late_effect",
      "cut_before",
      "cut_after",
      "cut_midway",
      "hang_before",
      "hang_after",
      "too_few_codes",
      "too_many_codes",
      "repeated_code",
      "garbage",
      "garbage_shape",
      "error_before",
      "error_after",
      "processing_then",
    ],
  });
  const client = createOrderingClient({ baseUrl: shop.url, apiKey: shop.apiKey, timeoutMs: TIMEOUT_MS });
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
  const purchases = createPurchases({ client, store: createMemoryStore(), wait });
  const outcomes: PurchaseOutcome[] = [];
  const buy = async () => {
    for (let count = 0; count < PURCHASES_OF_EACH; count += 1)
      outcomes.push(await purchases.purchase({ productId: "pen", qty: 2 }));
  };
  await Promise.all(Array.from({ length: BUYERS }, buy));
  const sold = shop.purchases();
  expect(sold.size).toBe(PURCHASES);
  let sendings = 0;
  for (const outcome of outcomes) {
    if (outcome.kind !== "delivered") throw new Error(`A purchase is ${outcome.kind}.`);
    const purchase = sold.get(outcome.externalOrderId);
    expect(outcome.codes.map(({ code }) => code)).toEqual(purchase?.deliveredCodes);
    sendings += purchase?.requests ?? 0;
  }
  expect(sendings).toBeGreaterThan(PURCHASES);
});
