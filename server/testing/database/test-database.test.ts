import { createConnection } from "mysql2/promise";
import { expect, test } from "vitest";
import { copyTestDatabase, createTestDatabase } from "./test-database.ts";

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const connection = await createConnection(url);
  try {
    const [rows] = await connection.query(sql);
    return rows as Record<string, unknown>[];
  } finally {
    await connection.end();
  }
}

test("two test databases share the schema's history and nothing else", async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await query(first.url, "CREATE TABLE only_here (id INT PRIMARY KEY)");
  expect(await query(second.url, "SHOW TABLES LIKE 'only_here'")).toEqual([]);
  expect((await query(second.tcpUrl, "SELECT name FROM knex_migrations")).length).toBeGreaterThan(0);
  await Promise.all([first.drop(), second.drop()]);
});

test("a dropped test database is gone", async () => {
  const database = await createTestDatabase();
  await database.drop();
  await expect(query(database.url, "SELECT 1")).rejects.toMatchObject({ code: "ER_BAD_DB_ERROR" });
});

test("a copy of a test database begins with its rows, and each then has its own", async () => {
  const first = await createTestDatabase();
  await query(first.url, "INSERT INTO rollup_progress VALUES ('acc_a', 7, 1)");
  const second = await copyTestDatabase(first);
  const rows = "SELECT account_id, ledger_sequence FROM rollup_progress";
  expect(await query(second.url, rows)).toEqual([{ account_id: "acc_a", ledger_sequence: 7 }]);
  await query(second.url, "UPDATE rollup_progress SET ledger_sequence = 8");
  expect(await query(first.url, rows)).toEqual([{ account_id: "acc_a", ledger_sequence: 7 }]);
  await Promise.all([first.drop(), second.drop()]);
});
