import { resolve } from "node:path";
import { expect, test } from "vitest";
import { migrationStatus, rollBackNewest } from "../database/migrate.ts";
import { holdLock } from "../testing/database/held-lock.ts";
import { startProgram } from "../testing/program.ts";
import { openTestServices } from "../testing/test-shop.ts";

const MIGRATE = resolve(import.meta.dirname, "../../scripts/migrate.ts");
/** It changes the table that the test keeps busy. */
const MIGRATION = "0010-imports-of-products";

test("a process that is killed in the middle of a migration is followed by one of those that wait", async () => {
  const services = await openTestServices();
  const { database } = services;
  while (!(await migrationStatus(database)).waiting.includes(MIGRATION)) await rollBackNewest(database);
  // The migration waits for a table that is in use.
  const table = await holdLock(services.databaseUrl, "SELECT product_id FROM products FOR UPDATE");
  const env = { ...process.env, DATABASE_URL: services.databaseUrl, CODE_ENCRYPTION_KEYS: "unused" };
  const migrate = () => startProgram(process.execPath, [MIGRATE, "up"], { env });
  const killed = migrate();
  const blocked = () =>
    database.rows(
      "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'ALTER TABLE products%'",
    );
  await expect.poll(async () => (await blocked()).length).toBe(1);
  const others = [migrate(), migrate(), migrate()];
  await killed.kill("SIGKILL");
  await table.release();
  for (const { exitCode, stderr } of await Promise.all(others.map(({ ended }) => ended)))
    expect([exitCode, stderr]).toEqual([0, ""]);
  expect((await migrationStatus(database)).waiting).toEqual([]);
  await services.dispose();
});
