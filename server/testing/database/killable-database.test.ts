import { afterEach, beforeEach, expect, test } from "vitest";
import { closeDatabase, type Database, openDatabase } from "../../database/database.ts";
import { transaction } from "../../database/transaction.ts";
import { type KillableDatabase, startKillableDatabase } from "./killable-database.ts";

let killable: KillableDatabase;
let database: Database;
beforeEach(async () => {
  killable = await startKillableDatabase();
  database = openDatabase({ url: killable.url, poolSize: 4 });
});
afterEach(async () => {
  await closeDatabase(database);
  await killable.dispose();
});

const insert = (id: number) =>
  transaction(database, (tx) => tx.change("INSERT INTO numbers VALUES (?)", [id]));

async function numbers(): Promise<number[]> {
  const rows = await database.rows<{ id: number }>("SELECT id FROM numbers ORDER BY id");
  return rows.map(({ id }) => id);
}

test("what was committed before a kill is there after the restart, at the same address, and nothing else", async () => {
  await database.knex.schema.createTable("numbers", (table) => table.integer("id").primary());
  for (let round = 0; round < 3; round += 1) {
    const before = await numbers();
    const answered: number[] = [];
    const isFirstOfRound = () => answered.length === 1;
    let killing: Promise<void> = Promise.resolve();
    const inserts = Array.from({ length: 4 }, async (_, index) => {
      const id = round * 4 + index;
      await insert(id);
      answered.push(id);
      if (isFirstOfRound()) killing = killable.kill();
    });
    const outcomes = await Promise.allSettled(inserts);
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
    await killing;
    await expect(insert(-1)).rejects.toThrow();
    await killable.restart();
    expect(await numbers()).toEqual(expect.arrayContaining([...before, ...answered]));
    expect(await numbers()).not.toContain(-1);
  }
});

test("it runs as a shop's database should: the newest schema, each commit on the disk before it is answered", async () => {
  expect((await database.rows("SELECT name FROM knex_migrations")).length).toBeGreaterThan(0);
  expect(await database.rows("SELECT @@innodb_flush_log_at_trx_commit + 0 AS flush")).toEqual([
    { flush: 1n },
  ]);
});
