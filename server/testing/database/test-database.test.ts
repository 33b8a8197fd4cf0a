import { createConnection } from "mysql2/promise";
import { expect, test } from "vitest";
import { createTestDatabase } from "./test-database.ts";

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
