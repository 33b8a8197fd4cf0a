import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { startServerProcess } from "../testing/server-process.ts";
import { addCaller, addModel, completedWith, fundsOf, mostOutput, outputOf } from "../testing/test-calls.ts";
import { addPerson, addTotp, signIn } from "../testing/test-people.ts";
import { openTestServices, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
import type { Database } from "./database.ts";
import {
  migrateToLatest,
  migrationStatus,
  requireSchema,
  rollBackAll,
  rollBackNewest,
  SchemaBehindError,
} from "./migrate.ts";

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
  await services.orderAdministration.refund(order.orderId, "test");
  const model = await addModel(services);
  await services.calls.end(
    await services.calls.begin({ caller, model, requestId: "r", most: mostOutput(10) }),
    completedWith(7),
  );
  await addTotp(services, await signIn(services, await addPerson(services, accountId)));
  await services.expectCleanAudit();

  await rollBackAll(services.database);
  expect((await migrationStatus(services.database)).done).toEqual([]);
  await migrateToLatest(services.database);
  expect((await migrationStatus(services.database)).waiting).toEqual([]);
  expect(await services.accounts.list()).toEqual([]);
  await services.addAccount();
  await services.dispose();
});

test("on the way back past the suppliers unfinished orders are closed and what was held is given back", async () => {
  const services = await openTestServices();
  const simulator = await startSupplierSimulator();
  const { productId } = await addOnDemandProduct(services, { simulator });
  const { productId: fromStock } = await services.addProduct();
  const accountId = await services.addAccount("100");
  const caller = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (caller === null) throw new Error("The key is not known.");
  const place = (externalOrderId: string, productId: string, qty: number) =>
    services.orders
      .place({ caller, externalOrderId, productId, qty, expectedUnitPrice: null })
      .catch(() => {});
  await place("from stock", fromStock, 1);
  await place("delivered", productId, 2);
  simulator.nextPurchases({ kind: "refuse", code: "out_of_stock" });
  await place("retryable", productId, 3);
  simulator.fault({ kind: "cut_before", times: null });
  await place("processing", productId, 4);
  await place("processing, too", productId, 5);
  const states = async () => {
    const orders = await services.database.rows<{ id: Buffer; status: string; error_code: string | null }>(
      "SELECT external_order_id AS id, status, error_code FROM orders",
    );
    return Object.fromEntries(orders.map(({ id, status, error_code }) => [`${id}`, [status, error_code]]));
  };
  const sums = () =>
    services.database.rows(
      `SELECT balance_microcents AS balance, reserved_microcents AS reserved, spent_microcents AS spent
       FROM accounts, key_daily_spend`,
    );
  expect(await states()).toMatchObject({
    retryable: ["retryable", "out_of_stock"],
    processing: ["processing", null],
  });
  expect(await sums()).toEqual([{ balance: usd("97"), reserved: usd("9"), spent: usd("12") }]);
  await services.orders.idle();
  await services.expectCleanAudit();

  await rollBackPast(services.database, "0002-suppliers");
  expect(await sums()).toEqual([{ balance: usd("97"), reserved: 0n, spent: usd("3") }]);
  expect(await states()).toEqual({
    "from stock": ["delivered", null],
    delivered: ["delivered", null],
    retryable: ["failed", "out_of_stock"],
    processing: ["failed", "supplier_unavailable"],
    "processing, too": ["failed", "supplier_unavailable"],
  });
  // What was bought is gone with the tables that it was in, which no audit passes.
  await rollBackAll(services.database);
  await migrateToLatest(services.database);
  await simulator.close();
  await services.dispose();
});

test("on the way back past the calls what was held for them is given back, and what was charged stays", async () => {
  const services = await openTestServices();
  const accountId = await services.addAccount("1");
  const caller = await addCaller(services, accountId);
  const model = await addModel(services);
  const begin = () => services.calls.begin({ caller, model, requestId: "r", most: mostOutput(1_000) });
  const refused = { outcome: "rejected", usage: null, estimated: false, upstreamRequestId: null } as const;
  await services.calls.end(await begin(), completedWith(7));
  await services.calls.end(await begin(), refused);
  await services.calls.record(await begin(), outputOf(30));
  await begin();
  expect(await fundsOf(services, accountId)).toEqual({ balance: usd("1") - 7n, reserved: 2_000n });
  await services.expectCleanAudit();

  // There and back again: a hold for each call, and what is held in the calls' rows once more.
  await rollBackPast(services.database, "0004-holds-of-calls");
  const states =
    "SELECT state, COUNT(*) AS holds, SUM(amount_microcents) AS held FROM holds GROUP BY state ORDER BY state";
  expect(await services.database.rows(states)).toEqual([
    { state: "open", holds: 2n, held: "2000" },
    { state: "released", holds: 1n, held: "1000" },
    { state: "settled", holds: 1n, held: "1000" },
  ]);
  await migrateToLatest(services.database);
  expect(await services.database.rows("SELECT reference FROM holds")).toEqual([]);
  await services.expectCleanAudit();

  await rollBackPast(services.database, "0003-ai-proxy");
  const funds = "SELECT balance_microcents AS balance, reserved_microcents AS reserved FROM accounts";
  expect(await services.database.rows(funds)).toEqual([{ balance: usd("1") - 7n, reserved: 0n }]);
  expect(await services.database.rows("SELECT reference FROM holds")).toEqual([]);
  const lastEntry =
    "SELECT type, amount_microcents AS amount FROM ledger_entries ORDER BY sequence DESC LIMIT 1";
  expect(await services.database.rows(lastEntry)).toEqual([{ type: "call", amount: -7n }]);
  // The charge has lost its call, which no audit passes.
  await rollBackAll(services.database);
  await migrateToLatest(services.database);
  await services.dispose();
});

/** Rolls the newest migrations back, down to one of that name. */
async function rollBackPast(database: Database, name: string): Promise<void> {
  while (!(await migrationStatus(database)).waiting.includes(name)) await rollBackNewest(database);
}

test("a migration that was killed half-way is gone on with", async () => {
  const services = await openTestServices();
  const { database } = services;
  await rollBackNewest(database);
  const { waiting } = await migrationStatus(database);
  // As it is left: the lock of the tables is taken, and the lease is not renewed.
  await database.change("UPDATE knex_migrations_lock SET is_locked = 1");
  await database.change("UPDATE service_leases SET holder = 'dead', until_ms = 1 WHERE name = 'migrations'");
  await migrateToLatest(database);
  expect(waiting).toHaveLength(1);
  expect((await migrationStatus(database)).waiting).toEqual([]);
  await services.dispose();
});

test("a lock of the migrator itself, without a lease, is waited for", async () => {
  const services = await openTestServices();
  const { database } = services;
  await rollBackNewest(database);
  // As a release does it that knows no lease.
  await database.change("UPDATE knex_migrations_lock SET is_locked = 1");
  const migrating = migrateToLatest(database);
  await expect.poll(async () => (await leaseHolders(database)).length).toBe(1);
  await database.change("UPDATE knex_migrations_lock SET is_locked = 0");
  await migrating;
  expect((await migrationStatus(database)).waiting).toEqual([]);
  expect(await leaseHolders(database)).toEqual([]);
  await services.dispose();
});

const leaseHolders = (database: Database) =>
  database.rows("SELECT holder FROM service_leases WHERE name = 'migrations' AND holder IS NOT NULL");

test("a release refuses the schema of an earlier one with the next step, and runs on that of a later one", async () => {
  const services = await openTestServices();
  const { database } = services;
  await requireSchema(database);
  await rollBackNewest(database);
  const [waiting] = (await migrationStatus(database)).waiting;
  await expect(requireSchema(database)).rejects.toThrow(`${waiting} still to come`);
  await expect(startServerProcess(services.databaseUrl)).rejects.toThrow(/npm run migrate -- up/);
  await migrateToLatest(database);
  await database.change(
    "INSERT INTO knex_migrations (name, batch, migration_time) VALUES ('9999-of-a-later-release', 99, NOW())",
  );
  await migrateToLatest(database);
  await requireSchema(database);
  await services.dispose();
});

test("a database without any tables is of an earlier release", async () => {
  const services = await openTestServices();
  await rollBackAll(services.database);
  await expect(requireSchema(services.database)).rejects.toThrow(SchemaBehindError);
  await migrateToLatest(services.database);
  await services.dispose();
});
