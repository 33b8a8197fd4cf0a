import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeDatabase, type Database, openDatabase } from "../../database/database.ts";
import { transaction } from "../../database/transaction.ts";
import { createTestDatabase, type TestDatabase } from "../database/test-database.ts";
import { startCommitCutter } from "./commit-cutter.ts";
import { createMessageBreakpoint, type MessageBreakpoint } from "./message-breakpoint.ts";

let testDatabase: TestDatabase;
let direct: Database;
let breakpoint: MessageBreakpoint;
let intercepted: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  direct = openDatabase({ url: testDatabase.url, poolSize: 2 });
  await direct.knex.schema.createTable("counters", (table) => {
    table.integer("id").primary();
    table.integer("value").notNullable();
  });
  await direct.change("INSERT INTO counters VALUES (1, 0), (2, 0), (3, 0), (4, 0)");
  breakpoint = createMessageBreakpoint();
  intercepted = openDatabase({ url: await breakpoint.before(testDatabase.tcpUrl), poolSize: 1 });
});
afterEach(async () => {
  await closeDatabase(intercepted);
  breakpoint.close();
  await closeDatabase(direct);
  await testDatabase.drop();
});

const increase = (database: Database, id = 1) =>
  transaction(database, (tx) => tx.change("UPDATE counters SET value = value + 1 WHERE id = ?", [id]));

async function counter(id = 1): Promise<number> {
  const [row] = await direct.rows<{ value: number }>("SELECT value FROM counters WHERE id = ?", [id]);
  return row?.value ?? -1;
}

/** A transaction's messages on a connection that knows its statements. */
const STEPS = [
  "→ query START TRANSACTION",
  "← query START TRANSACTION",
  "→ execute UPDATE counters SET value = value + 1 WHERE id = ?",
  "← execute UPDATE counters SET value = value + 1 WHERE id = ?",
  "→ query COMMIT",
  "← query COMMIT",
];

test("every command and every answer counts once, in every run alike", async () => {
  await increase(intercepted);
  for (let run = 0; run < 20; run += 1) {
    breakpoint.reset();
    await increase(intercepted);
    expect(breakpoint.steps()).toEqual(STEPS);
    expect(breakpoint.count()).toBe(6);
  }
  breakpoint.reset();
  const text = "x".repeat(200_000);
  expect(await intercepted.rows("SELECT id, ? AS text FROM counters", [text])).toHaveLength(4);
  expect(breakpoint.steps()).toEqual([
    "→ prepare SELECT id, ? AS text FROM counters",
    "← prepare SELECT id, ? AS text FROM counters",
    "→ execute SELECT id, ? AS text FROM counters",
    "← execute SELECT id, ? AS text FROM counters",
  ]);
});

test("what is no step is passed on uncounted", async () => {
  const quiet = createMessageBreakpoint((request) => !request.includes("SELECT"));
  const database = openDatabase({ url: await quiet.before(testDatabase.tcpUrl), poolSize: 1 });
  await increase(database);
  quiet.reset();
  quiet.fireAt(7, () => {});
  expect(await database.rows("SELECT id FROM counters")).toHaveLength(4);
  await increase(database);
  expect(quiet.steps()).toEqual(STEPS);
  await closeDatabase(database);
  quiet.close();
});

test("what the breakpoint fires at has not arrived, and all before it has", async () => {
  for (let step = 1; step <= STEPS.length; step += 1) {
    const before = await counter();
    await increase(intercepted);
    breakpoint.reset();
    let seen = 0;
    breakpoint.fireAt(step, () => {
      seen = breakpoint.count();
      breakpoint.shut();
    });
    await expect(increase(intercepted)).rejects.toThrow();
    expect([breakpoint.hasFired(), seen]).toEqual([true, step]);
    // Only when the answer to the COMMIT is all that is missing has it taken effect.
    await expect.poll(() => counter()).toBe(before + (step === STEPS.length ? 2 : 1));

    await closeDatabase(intercepted);
    breakpoint.close();
    breakpoint = createMessageBreakpoint();
    intercepted = openDatabase({ url: await breakpoint.before(testDatabase.tcpUrl), poolSize: 1 });
  }
});

test("a breakpoint that fires without being shut lets new connections through", async () => {
  await increase(intercepted);
  breakpoint.reset();
  breakpoint.fireAt(3, () => {});
  await increase(intercepted);
  expect(breakpoint.hasFired()).toBe(true);
  expect(await counter()).toBe(2);
});

test("a database and an HTTP server share one count", async () => {
  const bodies: string[] = [];
  const supplier = createServer((request, response) => {
    request.setEncoding("utf8");
    let body = "";
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      bodies.push(body);
      response.end("a".repeat(300_000));
    });
  });
  await new Promise<void>((resolve) => supplier.listen(0, "127.0.0.1", resolve));
  const port = (supplier.address() as AddressInfo).port;
  const url = await breakpoint.before(`http://127.0.0.1:${port}/shop/v1`);
  expect(new URL(url).pathname).toBe("/shop/v1");
  const post = async (body: string) => (await fetch(`${url}/orders`, { method: "POST", body })).text();

  await increase(intercepted);
  breakpoint.reset();
  await increase(intercepted);
  expect(await post("b".repeat(300_000))).toHaveLength(300_000);
  await increase(intercepted);
  const posted = ["→ POST /shop/v1/orders HTTP/1.1", "← POST /shop/v1/orders HTTP/1.1"];
  expect(breakpoint.steps()).toEqual([...STEPS, ...posted, ...STEPS]);

  for (const [step, arrived] of [
    [1, 0],
    [2, 1],
  ] as const) {
    bodies.length = 0;
    breakpoint.reset();
    breakpoint.fireAt(step, () => {});
    await expect(post("small")).rejects.toThrow();
    expect(bodies).toHaveLength(arrived);
  }
  supplier.closeAllConnections();
  supplier.close();
});

test("commits at once are cut as asked for, each having taken effect", async () => {
  const cutter = await startCommitCutter(testDatabase.tcpUrl);
  const database = openDatabase({ url: cutter.url, poolSize: 4 });
  const ids = [1, 2, 3, 4];
  const increaseAll = async () => {
    const outcomes = await Promise.allSettled(ids.map((id) => increase(database, id)));
    return outcomes.filter(({ status }) => status === "rejected").length;
  };
  cutter.cutNextCommit();
  cutter.cutNextCommit();
  cutter.cutNextCommit();
  expect(await increaseAll()).toBe(3);
  cutter.cutEvery(2);
  expect(await increaseAll()).toBe(2);
  cutter.cutEvery(1);
  expect(await increaseAll()).toBe(4);
  cutter.cutEvery(0);
  expect(await increaseAll()).toBe(0);
  expect(cutter.cuts()).toBe(9);
  expect(await Promise.all(ids.map(counter))).toEqual([4, 4, 4, 4]);
  await closeDatabase(database);
  cutter.close();
});
