import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/database/test-database.ts";
import { type Connections, openConnections } from "./connections.ts";
import { closeDatabase, openDatabase } from "./database.ts";
import { ConnectionWaitError } from "./faults.ts";
import { missingPreparedStatements } from "./prepared-statements.ts";

/** As many as may wait for one connection. */
const MOST_WAITING = 64;

let testDatabase: TestDatabase;
let connections: Connections;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  connections = openConnections(testDatabase.url, 1);
});
afterEach(async () => {
  await connections.pool.promise().end();
  await testDatabase.drop();
});

test("what waits for a connection is counted, and what finds too many waiting is refused at once", async () => {
  const held = await connections.acquire();
  const waiting = Array.from({ length: MOST_WAITING }, async () => (await connections.acquire()).release());
  await expect(connections.acquire()).rejects.toThrow(ConnectionWaitError);
  expect(connections.waits()).toMatchObject({ waiting: MOST_WAITING, served: 1, refused: 1 });
  held.release();
  await Promise.all(waiting);
  expect(connections.waits()).toEqual({
    ...{ waiting: 0, served: MOST_WAITING + 1, refused: 1 },
    servedAfterMs: expect.toSatisfy((ms: number) => ms > 0),
  });
});

test("a server that allows fewer prepared statements than all processes may need is noticed", async () => {
  const database = openDatabase({ url: testDatabase.url, poolSize: 2 });
  expect(await missingPreparedStatements(database, { processes: 1, poolSize: 2 })).toBe(null);
  expect(await missingPreparedStatements(database, { processes: 1_000, poolSize: 1_000 })).toEqual({
    allowed: expect.toSatisfy((count: number) => count > 0),
    needed: 240_000_000,
  });
  await closeDatabase(database);
});
