import type { RowDataPacket } from "mysql2";
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

test("whatever the server is set to, a session is in UTC, sees what is committed and is strict", async () => {
  const connection = await connections.acquire();
  // MySQL and MariaDB have different names for the level.
  const asked =
    "SHOW VARIABLES WHERE Variable_name RLIKE '^(time_zone|sql_mode|(tx|transaction)_isolation)$'";
  const [rows] = await connection.promise().query<RowDataPacket[]>(asked);
  expect(rows.map(({ Value }) => Value)).toEqual(
    expect.arrayContaining(["+00:00", "READ-COMMITTED", expect.stringContaining("STRICT_ALL_TABLES")]),
  );
  connection.release();
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
