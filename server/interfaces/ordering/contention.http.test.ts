import { afterAll, beforeAll, expect, test } from "vitest";
import { holdLock } from "../../testing/database/held-lock.ts";
import { orderUntilDelivered } from "../../testing/supplied-orders.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

const POOL_SIZE = 8;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop(Date.now, { databasePoolSize: POOL_SIZE });
});
// Ends with the audit.
afterAll(() => shop.stop());

const body = (externalOrderId: string) => ({ externalOrderId, productId: shop.productId, qty: 1 });

test("an order that others keep from finishing is in progress, and is bought once when they let go", async () => {
  const held = await holdLock(shop.databaseUrl, "SELECT 1 FROM accounts FOR UPDATE");
  const refused = await shop.call("/orders", { body: body("held") });
  expect(refused).toMatchObject({
    status: 503,
    body: { error: "order_in_progress", details: { retryAfterSeconds: expect.any(Number) } },
  });
  expect(Number(refused.headers.get("retry-after"))).toBe(refused.body.details.retryAfterSeconds);

  await held.release();
  expect(await shop.call("/orders", { body: body("held") })).toMatchObject({
    status: 200,
    body: { reused: false, codes: [shop.codes[0]] },
  });
  expect(await shop.call("/orders", { body: body("held") })).toMatchObject({
    status: 200,
    body: { reused: true },
  });
  expect((await shop.call("/balance")).body.balance).toBe("99.00");
});

test("an account whose row is held keeps no other from buying the same product, however often it asks", async () => {
  const other = await shop.addAccount();
  const { key } = await shop.addKey(other);
  const held = await holdLock(shop.databaseUrl, "SELECT 1 FROM accounts WHERE account_id = ? FOR UPDATE", [
    shop.accountId,
  ]);
  const waiting = Array.from({ length: 4 * POOL_SIZE }, (_, index) =>
    shop.call("/orders", { body: body(`waiting-${index}`) }),
  );
  for (let bought = 0; bought < 5; bought += 1) {
    const buying = () => shop.call("/orders", { body: body(`other-${bought}`), key });
    expect(await orderUntilDelivered(buying)).toMatchObject({ status: 200 });
  }
  // Reads have connections of their own.
  expect(await shop.call("/balance")).toMatchObject({ status: 200 });
  const refusals = await Promise.all(waiting);
  expect(new Set(refusals.map((refusal) => refusal.body.error))).toEqual(new Set(["order_in_progress"]));
  await held.release();
  expect(await shop.call("/orders", { body: body("waiting-0") })).toMatchObject({ status: 200 });
});
