import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestServices } from "../testing/test-shop.ts";
import { migrateToLatest, migrationStatus, rollBackAll } from "./migrate.ts";

test("the schema goes down and up again, also with rows in every table", async () => {
  const services = await openTestServices();
  const accountId = await services.addAccount();
  const { key, keyId } = await services.addKey(accountId);
  const { productId } = await services.addProduct();
  const caller = await services.keys.authenticate(key);
  if (caller === null) throw new Error(`key ${keyId} is not known`);
  const { order } = await services.orders.place({
    caller,
    externalOrderId: randomUUID(),
    productId,
    qty: 2,
    expectedUnitPrice: null,
  });
  await services.orders.refund(order.orderId, "test");
  await services.expectCleanAudit();

  await rollBackAll(services.database);
  expect((await migrationStatus(services.database)).done).toEqual([]);
  await migrateToLatest(services.database);
  expect((await migrationStatus(services.database)).waiting).toEqual([]);
  expect(await services.accounts.list()).toEqual([]);
  await services.addAccount();
  await services.dispose();
});
