import { afterEach, beforeEach, expect, test } from "vitest";
import { holdLock } from "../testing/database/held-lock.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { CommitOutcomeUnknownError, ContentionError } from "./faults.ts";
import { type Transaction, transaction } from "./transaction.ts";

let services: TestServices;
beforeEach(async () => {
  services = await openTestServices();
  for (const name of ["one", "two"]) await put(services.database, name, "start");
});
afterEach(() => services.dispose());

type Writer = Pick<Transaction, "change">;

async function put(session: Writer, name: string, value: string): Promise<void> {
  await session.change("REPLACE INTO service_secrets (name, ciphertext) VALUES (?, ?)", [
    name,
    Buffer.from(value),
  ]);
}

async function read(name: string): Promise<string> {
  const [row] = await services.database.rows<{ ciphertext: Buffer }>(
    "SELECT ciphertext FROM service_secrets WHERE name = ?",
    [name],
  );
  return row?.ciphertext.toString() ?? "none";
}

async function lock(tx: Transaction, name: string): Promise<void> {
  await tx.rows("SELECT 1 FROM service_secrets WHERE name = ? FOR UPDATE", [name]);
}

test("what is thrown rolls everything back and is not retried", async () => {
  let attempts = 0;
  const work = transaction(services.database, async (tx) => {
    attempts += 1;
    await put(tx, "one", "changed");
    throw new Error("refused");
  });
  await expect(work).rejects.toThrow("refused");
  expect(attempts).toBe(1);
  expect(await read("one")).toBe("start");
});

test("two transactions that deadlock both take effect, the victim by running again", async () => {
  let attempts = 0;
  let bothHold = 2;
  const both = Promise.withResolvers<void>();
  const swap = (first: string, second: string) =>
    transaction(services.database, async (tx) => {
      attempts += 1;
      await lock(tx, first);
      bothHold -= 1;
      if (bothHold === 0) both.resolve();
      await both.promise;
      await lock(tx, second);
      await put(tx, second, `by the one that began with ${first}`);
    });
  await Promise.all([swap("one", "two"), swap("two", "one")]);
  expect(attempts).toBeGreaterThan(2);
  expect(await read("one")).toBe("by the one that began with two");
  expect(await read("two")).toBe("by the one that began with one");
});

test("a lock that is never given up ends in a ContentionError and changes nothing", async () => {
  const held = await holdLock(
    services.databaseUrl,
    "SELECT 1 FROM service_secrets WHERE name = 'one' FOR UPDATE",
  );
  const work = transaction(services.database, async (tx) => {
    await put(tx, "two", "half done");
    await lock(tx, "one");
  });
  await expect(work).rejects.toThrow(ContentionError);
  await held.release();
  expect(await read("two")).toBe("start");
});

test("a connection that is lost before COMMIT was sent is tried again on another", async () => {
  let attempts = 0;
  await transaction(services.database, async (tx) => {
    attempts += 1;
    await put(tx, "one", `attempt ${attempts}`);
    if (attempts === 1) await killOwnConnection(tx);
    await put(tx, "two", `attempt ${attempts}`);
  });
  expect([await read("one"), await read("two")]).toEqual(["attempt 2", "attempt 2"]);
});

test("a connection that is lost at COMMIT is reported as unknown and not tried again", async () => {
  let attempts = 0;
  const work = transaction(services.database, async (tx) => {
    attempts += 1;
    await put(tx, "one", "unknown");
    await killOwnConnection(tx);
  });
  await expect(work).rejects.toThrow(CommitOutcomeUnknownError);
  expect(attempts).toBe(1);
});

async function killOwnConnection(tx: Transaction): Promise<void> {
  const [row] = await tx.rows<{ id: bigint }>("SELECT CONNECTION_ID() AS id");
  const killer = await services.database.pool.getConnection();
  await killer.query(`KILL ${row?.id}`);
  killer.release();
}

test("a number that is not exact, or no BIGINT, is refused before it is sent", async () => {
  const { database } = services;
  for (const value of [2 ** 53, -(2 ** 53), 2n ** 63n, -(2n ** 63n) - 1n]) {
    await expect(database.rows("SELECT ? AS value", [value])).rejects.toThrow(RangeError);
  }
  const bounds = [2n ** 63n - 1n, -(2n ** 63n), BigInt(Number.MAX_SAFE_INTEGER)];
  expect(await database.rows("SELECT ? AS most, ? AS least, ? AS number", bounds)).toEqual([
    { most: bounds[0], least: bounds[1], number: bounds[2] },
  ]);
});

test("bigints beyond 2^53 go in and come out exactly, in SQL arithmetic too", async () => {
  const [row] = await services.database.rows<{ sum: bigint }>("SELECT CAST(? AS SIGNED) + ? AS sum", [
    9_007_199_254_740_993n,
    2n,
  ]);
  expect(row?.sum).toBe(9_007_199_254_740_995n);
});
