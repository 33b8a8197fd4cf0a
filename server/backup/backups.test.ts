import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compose } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import { migrateToLatest, rollBackNewest } from "../database/migrate.ts";
import { startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { createTestDatabase } from "../testing/database/test-database.ts";
import { fixedClock } from "../testing/fixed-clock.ts";
import { addCaller, addModel, completedWith, mostOutput } from "../testing/test-calls.ts";
import { addPerson, addTotp, signIn } from "../testing/test-people.ts";
import {
  linesOf,
  openTestServices,
  openTestServicesOn,
  type TestServices,
  testConfig,
} from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
import { withSnapshot } from "./backup-store.ts";
import { DATA_FILE, MANIFEST_FILE } from "./manifest.ts";

let services: TestServices;
let folder: string;
beforeEach(async () => {
  services = await openTestServices();
  folder = join(await mkdtemp(join(tmpdir(), "shop-backup-")), "one");
});
afterEach(async () => {
  await services.dispose();
  await rm(join(folder, ".."), { recursive: true });
});

/** Something in every table. */
async function fill() {
  const accountId = await services.addAccount("90000000");
  const caller = await addCaller(services, accountId);
  const buyer = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (buyer === null) throw new Error("The key is not known.");
  const { productId } = await services.addProduct({ codes: 0 });
  await services.stock.import(productId, linesOf(["plain", "ünïcode 🎁", "back\\slash 'quoted'", "a", "b"]));
  const simulator = await startSupplierSimulator();
  const { productId: onDemand } = await addOnDemandProduct(services, { simulator });
  for (const product of [productId, onDemand]) {
    const order = { caller: buyer, externalOrderId: `ïd\u{2028}${product}`, productId: product, qty: 2 };
    await services.orders.place({ ...order, expectedUnitPrice: null });
  }
  await simulator.close();
  const model = await addModel(services);
  const begin = () => services.calls.begin({ caller, model, requestId: "r", most: mostOutput(100) });
  await services.calls.end(await begin(), completedWith(7));
  await begin();
  await addTotp(services, await signIn(services, await addPerson(services, accountId)));
  return { accountId, buyer, productId };
}

async function contentsOf({ database }: TestServices): Promise<Record<string, unknown[]>> {
  const tables = await database
    .knex("information_schema.TABLES")
    .whereRaw("TABLE_SCHEMA = DATABASE()")
    .pluck("TABLE_NAME");
  const contents: Record<string, unknown[]> = {};
  for (const table of tables.filter(
    (name: string) => !/^(?:knex|service_leases|service_processes)/.test(name),
  ))
    contents[table] = await database.rows(`SELECT * FROM ${table} ORDER BY 1, 2`);
  return contents;
}

const restore = (target: TestServices, replace = false) =>
  target.backups.restore({ folder, replace, onRows: () => {} });

async function openOther(): Promise<TestServices> {
  return openTestServicesOn(await createTestDatabase());
}

test("a restored database is the one that was backed up, and works on", async () => {
  const { accountId, buyer, productId } = await fill();
  const before = Date.now();
  const manifest = await services.backups.take(folder);
  expect(Date.parse(manifest.takenAt)).toBeGreaterThanOrEqual(before);
  expect(manifest.rows).toMatchObject({ accounts: 1, codes: 5, orders: 2, purchased_codes: 2, calls: 2 });
  expect((await readdir(folder)).toSorted()).toEqual([DATA_FILE, MANIFEST_FILE]);
  for (const name of ["", DATA_FILE, MANIFEST_FILE])
    expect((await stat(join(folder, name))).mode & 0o077, name).toBe(0);

  const other = await openOther();
  // A process that has looked at it has left a secret there, and nothing that anybody would miss.
  await other.stock.checkEncryptionKeys();
  expect(await other.database.rows("SELECT * FROM service_secrets")).toHaveLength(1);
  await expect(restore(other)).resolves.toEqual({ manifest, migrated: [] });
  expect(await contentsOf(other)).toEqual(await contentsOf(services));
  await other.stock.checkEncryptionKeys();
  const order = { caller: buyer, externalOrderId: "next", productId, qty: 3, expectedUnitPrice: null };
  expect((await other.orders.place(order)).order.codes).toEqual(["back\\slash 'quoted'", "a", "b"]);
  expect((await other.accounts.get(accountId)).accountId).toBe(accountId);
  await other.dispose();
});

test("a backup says since when commits are missing from it, not when it was complete", async () => {
  const time = fixedClock("2026-03-01T12:00:00Z");
  const timed = compose(testConfig(services.databaseUrl), time.clock);
  const other = await createConnection(services.databaseUrl);
  await other.query("LOCK TABLES models WRITE");
  const taking = timed.backups.take(folder);
  const waiting =
    "SELECT COUNT(*) AS waiting FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE 'Waiting for table %lock'";
  await expect.poll(async () => (await services.database.rows(waiting))[0]).toEqual({ waiting: 1n });
  time.advance(60_000);
  await other.end();
  expect((await taking).takenAt).toBe("2026-03-01T12:00:00.000Z");
  await closeDatabase(timed.database);
});

test("a restore that is broken off lets nobody in, and may be begun again", async () => {
  const { buyer } = await fill();
  await services.backups.take(folder);
  const other = await openOther();
  const onRows = (_rows: number, table: string) => {
    if (table === "orders") throw new Error("broken off");
  };
  await expect(other.backups.restore({ folder, replace: false, onRows })).rejects.toThrow("broken off");
  expect(await other.database.rows("SELECT key_id FROM api_keys")).toEqual([]);
  await restore(other, true);
  expect(await other.database.rows("SELECT key_id FROM api_keys")).toContainEqual({ key_id: buyer.keyId });
  await other.dispose();
});

test("a database that holds something is left as it is, unless it is to be replaced", async () => {
  await fill();
  await services.backups.take(folder);
  await expect(services.backups.take(folder)).rejects.toMatchObject({ code: "conflict" });
  const before = await contentsOf(services);
  await services.addAccount("1");
  await expect(restore(services)).rejects.toThrow(/not empty: it has .*2 rows in accounts/);
  await restore(services, true);
  expect(await contentsOf(services)).toEqual(before);
});

test("what is not whole is not restored, and nothing is changed for it", async () => {
  const { accountId } = await fill();
  await services.backups.take(folder);
  const data = await readFile(join(folder, DATA_FILE));
  const manifest = await readFile(join(folder, MANIFEST_FILE), "utf8");
  const expectRefusal = async (words: string) => {
    await expect(restore(services, true)).rejects.toThrow(words);
    expect((await services.accounts.get(accountId)).accountId).toBe(accountId);
  };
  await writeFile(join(folder, DATA_FILE), data.subarray(0, -1));
  await expectRefusal("changed or cut short");
  data[data.length >> 1] = (data[data.length >> 1] ?? 0) ^ 1;
  await writeFile(join(folder, DATA_FILE), data);
  await expectRefusal("changed or cut short");
  await rm(join(folder, DATA_FILE));
  await expectRefusal("cannot be read");
  await writeFile(join(folder, MANIFEST_FILE), manifest.replace("0001-ordering-tables", "0001-of-others"));
  await writeFile(join(folder, DATA_FILE), "");
  await expectRefusal("changed or cut short");
  await writeFile(join(folder, MANIFEST_FILE), "{");
  await expectRefusal("not the manifest");
  await rm(join(folder, MANIFEST_FILE));
  await expectRefusal("no whole backup");
});

test("a backup of a newer release is refused, one of an older release is brought up to date", async () => {
  const { accountId } = await fill();
  await rollBackNewest(services.database);
  const { migrations } = await services.backups.take(folder);
  const other = await openOther();
  const { migrated } = await restore(other);
  expect(migrated).toHaveLength(1);
  expect(migrations).not.toContain(migrated[0]);
  expect((await other.accounts.get(accountId)).accountId).toBe(accountId);

  const path = join(folder, MANIFEST_FILE);
  const manifest = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...manifest, migrations: [...migrations, "9999-of-tomorrow"] }));
  await expect(restore(other, true)).rejects.toThrow("A newer release");
  await other.dispose();
  await migrateToLatest(services.database);
});

test("what is committed while it is read is not in it, not even in part", async () => {
  const { buyer, productId } = await fill();
  const expected = await contentsOf(services);
  const read: Record<string, number> = {};
  await withSnapshot(services.database, async (snapshot) => {
    for (const [index, header] of (await snapshot.tables()).entries()) {
      const order = { caller: buyer, externalOrderId: `meanwhile-${index}`, productId, qty: 1 };
      if (index < 3) await services.orders.place({ ...order, expectedUnitPrice: null });
      read[header.table] = (await Array.fromAsync(snapshot.rows(header))).length;
    }
  });
  expect(read).toEqual(
    Object.fromEntries(Object.entries(expected).map(([table, rows]) => [table, rows.length])),
  );
});

test("a migration waits for no backup: what it changes before it was read breaks the backup off", async () => {
  const migrate = (table: string) =>
    services.database.knex.raw(`ALTER TABLE ${table} ADD COLUMN added INT NULL, ALGORITHM=COPY`);
  await withSnapshot(services.database, async (snapshot) => {
    const tables = await snapshot.tables();
    const [accounts, codes] = ["accounts", "codes"].map((name) => tables.find(({ table }) => table === name));
    if (accounts === undefined || codes === undefined) throw new Error("Tables are missing.");
    await Array.fromAsync(snapshot.rows(accounts));
    await migrate("accounts");
    await migrate("codes");
    await expect(Array.fromAsync(snapshot.rows(codes))).rejects.toMatchObject({ errno: 1412 });
  });
});

test("a backup that is broken off leaves nothing that looks like one", async () => {
  const { productId } = await services.addProduct({ codes: 0 });
  await services.stock.import(productId, linesOf(manyCodes()));
  const breakOff = () => {
    throw new Error("broken off");
  };
  await expect(services.backups.take(folder, breakOff)).rejects.toThrow("broken off");
  expect(await readdir(join(folder, ".."))).toEqual([]);
});

function* manyCodes(): Generator<string> {
  for (let index = 0; index < 1_500; index += 1) yield `MANY-${index}`;
}
