import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type KillableDatabase, startKillableDatabase } from "../testing/database/killable-database.ts";
import { faultSeed, scaled } from "../testing/faults/fault-runs.ts";
import { closeDatabase, type Database, openDatabase } from "./database.ts";
import { CommitOutcomeUnknownError } from "./faults.ts";
import { transaction } from "./transaction.ts";

const KILLS = scaled(60);
const WORKERS = 6;
const MAX_ROUND_MS = 120;

let killable: KillableDatabase;
let database: Database;
beforeEach(async () => {
  killable = await startKillableDatabase();
  database = openDatabase({ url: killable.url, poolSize: WORKERS });
  await database.knex.schema.createTable("moves", (table) => table.integer("id").primary());
  await database.knex.schema.createTable("purses", (table) => {
    table.integer("id").primary();
    table.integer("value").notNullable();
  });
  await database.change("INSERT INTO purses VALUES (1, 0), (2, 0)");
});
afterEach(async () => {
  await closeDatabase(database);
  await killable.dispose();
});

/** One from a purse to the other, with a row that tells of it. */
const move = (id: number) =>
  transaction(database, async (tx) => {
    await tx.change("INSERT INTO moves VALUES (?)", [id]);
    await tx.change("UPDATE purses SET value = value - 1 WHERE id = 1");
    await tx.change("UPDATE purses SET value = value + 1 WHERE id = 2");
  });

test("a database that is killed again and again keeps what was committed, and nothing that was not", async () => {
  const pauses = fc.sample(fc.nat(MAX_ROUND_MS), { seed: faultSeed(), numRuns: KILLS });
  const committed: number[] = [];
  const refused: number[] = [];
  const unknown: number[] = [];
  let next = 0;
  let done = false;
  const work = async () => {
    while (!done) {
      const id = next;
      next += 1;
      await move(id).then(
        () => committed.push(id),
        (error) => (error instanceof CommitOutcomeUnknownError ? unknown : refused).push(id),
      );
    }
  };
  const workers = Array.from({ length: WORKERS }, work);
  try {
    for (const pause of pauses) {
      await delay(pause);
      await killable.kill();
      await killable.restart();
    }
  } finally {
    done = true;
    await Promise.all(workers);
  }

  const rows = await database.rows<{ id: number }>("SELECT id FROM moves");
  const found = new Set(rows.map(({ id }) => id));
  expect(committed.filter((id) => !found.has(id))).toEqual([]);
  expect(refused.filter((id) => found.has(id))).toEqual([]);
  expect(committed.length + refused.length + unknown.length).toBe(next);
  expect(await database.rows("SELECT id, value FROM purses ORDER BY id")).toEqual([
    { id: 1, value: -found.size },
    { id: 2, value: found.size },
  ]);
});
