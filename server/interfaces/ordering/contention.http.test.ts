import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

const POOL_SIZE = 8;

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop(Date.now, { databasePoolSize: POOL_SIZE });
  await shortenWaits(shop.database);
});
// Ends with the audit.
afterAll(() => shop.stop());

/** Lets the shop wait for a lock for a second each time, and not for several. */
async function shortenWaits({ pool }: TestShop["database"]): Promise<void> {
  const connections = await Promise.all(Array.from({ length: POOL_SIZE }, () => pool.getConnection()));
  for (const connection of connections) {
    await connection.query("SET SESSION innodb_lock_wait_timeout = 1");
    connection.release();
  }
}

test("an order that others keep from finishing is in progress, and is bought once when they let go", async () => {
  const holder = await shop.database.pool.getConnection();
  await holder.query("START TRANSACTION");
  await holder.query("SELECT 1 FROM accounts FOR UPDATE");
  const body = { externalOrderId: "held", productId: shop.productId, qty: 1 };

  const refused = await shop.call("/orders", { body });
  expect(refused).toMatchObject({
    status: 503,
    body: { error: "order_in_progress", details: { retryAfterSeconds: expect.any(Number) } },
  });
  expect(Number(refused.headers.get("retry-after"))).toBe(refused.body.details.retryAfterSeconds);

  await holder.query("ROLLBACK");
  holder.release();
  expect(await shop.call("/orders", { body })).toMatchObject({
    status: 200,
    body: { reused: false, codes: [shop.codes[0]] },
  });
  expect(await shop.call("/orders", { body })).toMatchObject({ status: 200, body: { reused: true } });
  expect((await shop.call("/balance")).body.balance).toBe("99.00");
});
