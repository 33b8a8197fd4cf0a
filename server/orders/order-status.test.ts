import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { transaction } from "../database/transaction.ts";
import { newId, type OrderId } from "../ids.ts";
import { openTestServices, type TestServices, usd } from "../testing/test-shop.ts";
import { ORDER_STATUSES, type OrderStatus, StatusConflictError } from "./order-status.ts";
import { findOrder, insertOrders, transitionOrders } from "./order-store.ts";

let services: TestServices;
beforeEach(async () => {
  services = await openTestServices();
});
afterEach(async () => {
  // The orders of this test have no books.
  await services.database.change("DELETE FROM orders");
  await services.dispose();
});

const ALLOWED = [
  "processing → delivered",
  "processing → retryable",
  "processing → failed",
  "retryable → processing",
  "retryable → failed",
  "delivered → refunded",
];

async function orderIn(status: OrderStatus): Promise<OrderId> {
  const orderId = newId("ord");
  await transaction(services.database, (tx) =>
    insertOrders(tx, [
      {
        orderId,
        accountId: newId("acc"),
        externalOrderId: orderId,
        keyId: newId("key"),
        productId: "p",
        productName: "P",
        qty: 1,
        unitPriceMicrocents: usd("1"),
        amountMicrocents: usd("1"),
        status,
        redeemUrl: null,
        errorCode: null,
        spendDay: "2026-01-01",
        createdAtMs: 1,
        deliveredAtMs: null,
        refundedAtMs: null,
      },
    ]),
  );
  return orderId;
}

test("the contract documents exactly the moves that the code knows", () => {
  const document = readFileSync(
    new URL("../../spec/ordering/schemas/OrderStatus.yaml", import.meta.url),
    "utf8",
  );
  const rows = [...document.matchAll(/^ *\| `(\w+)` \| `(\w+)` \|/gm)].map(
    ([, from, to]) => `${from} → ${to}`,
  );
  expect(rows).toEqual(ALLOWED);
});

test("an order moves only from the state that it is in, and once", async () => {
  for (const actual of ORDER_STATUSES) {
    for (const move of ALLOWED) {
      const [from, to] = move.split(" → ") as ["retryable", "failed"];
      const orderId = await orderIn(actual);
      const moving = transaction(services.database, (tx) => transitionOrders(tx, [orderId], from, to));
      if (actual === from) await moving;
      else await expect(moving).rejects.toThrow(StatusConflictError);
      expect((await findOrder(services.database, orderId))?.status).toBe(actual === from ? to : actual);
    }
  }
});

test("of 20 that move the same order at once, one succeeds", async () => {
  const orderId = await orderIn("processing");
  const moves = Array.from({ length: 20 }, () =>
    transaction(services.database, (tx) => transitionOrders(tx, [orderId], "processing", "delivered")),
  );
  const outcomes = await Promise.allSettled(moves);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("other moves do not compile", () => {
  const moves = (tx: Parameters<typeof transitionOrders>[0], orderId: OrderId) => [
    // @ts-expect-error delivered codes are not taken back
    transitionOrders(tx, [orderId], "delivered", "processing"),
    // @ts-expect-error a closed order stays closed
    transitionOrders(tx, [orderId], "failed", "retryable"),
    // @ts-expect-error nothing was charged yet
    transitionOrders(tx, [orderId], "processing", "refunded"),
  ];
  expect(moves).toBeTypeOf("function");
});
