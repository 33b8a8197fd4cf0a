import { afterAll, beforeAll, expect, test } from "vitest";
import { holdLock } from "../testing/database/held-lock.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { placeholders } from "./database.ts";
import { ContentionError, RowsInUseError } from "./faults.ts";
import { lockContested } from "./lock-contested.ts";
import { BRIEF, IN_LINE, type LockWaits, type Transaction, transaction } from "./transaction.ts";

/** As long as it may take here until a row is passed on, however busy the machine is. */
const LONG_WAIT_MS = 60_000;

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
  for (const name of ["one", "two", "three", "own"]) await put(services.database, name, "start");
});
afterAll(() => services.dispose());

async function put(session: Pick<Transaction, "change">, name: string, value: string): Promise<void> {
  const row = [name, Buffer.from(value)];
  await session.change("REPLACE INTO service_secrets (name, ciphertext) VALUES (?, ?)", row);
}

async function read(name: string): Promise<string | undefined> {
  const [row] = await services.database.rows<{ ciphertext: Buffer }>(
    "SELECT ciphertext FROM service_secrets WHERE name = ?",
    [name],
  );
  return row?.ciphertext.toString();
}

const hold = (name: string) =>
  holdLock(services.databaseUrl, "SELECT 1 FROM service_secrets WHERE name = ? FOR UPDATE", [name]);

function lock(tx: Transaction, names: readonly string[], maxBriefWaitMs?: number) {
  const from = `FROM service_secrets WHERE name IN (${placeholders(names)}) ORDER BY name`;
  const rows = { columns: "name", nameColumn: "name", from, names };
  return lockContested<{ name: string }>(tx, rows, maxBriefWaitMs);
}

/** Locks in a transaction that has changed a row before, and commits that change, whatever comes of the lock. */
async function lockAfterChange(change: string, lockWaits: LockWaits, ...names: string[]): Promise<unknown> {
  return transaction(
    services.database,
    async (tx) => {
      await put(tx, "own", change);
      return lock(tx, names).catch((error: unknown) => error);
    },
    lockWaits,
  );
}

test("rows that another transaction holds are not waited for, and are named; the transaction is there still", async () => {
  const held = await hold("two");
  const error = await lockAfterChange("beside a held row", BRIEF, "one", "three", "two", "two");
  await held.release();
  expect(error).toBeInstanceOf(RowsInUseError);
  expect((error as RowsInUseError).rows).toEqual(new Set(["two"]));
  expect(await read("own")).toBe("beside a held row");
});

test("in line they are waited for until any lock is given up", async () => {
  const held = await hold("two");
  const error = await lockAfterChange("in line", IN_LINE, "one", "two");
  await held.release();
  expect(error).toBeInstanceOf(RowsInUseError);
  expect(await read("own")).toBe("in line");
});

test("a row that is passed on in time is had", async () => {
  const held = await hold("one");
  const begun = Promise.withResolvers<bigint>();
  const rows = transaction(
    services.database,
    async (tx) => {
      const [row] = await tx.rows<{ id: bigint }>("SELECT CONNECTION_ID() AS id");
      begun.resolve(row?.id ?? 0n);
      return lock(tx, ["one"], LONG_WAIT_MS);
    },
    BRIEF,
  );
  const connectionId = await begun.promise;
  await expect.poll(() => isLocking(connectionId)).toBe(true);
  await held.release();
  expect(await rows).toEqual([{ name: "one" }]);
});

/** Asked of what the connections do, for InnoDB's own list of transactions stays as it was while others go on reading it. */
async function isLocking(connectionId: bigint): Promise<boolean> {
  const locking = await services.database.rows(
    "SELECT 1 FROM information_schema.processlist WHERE id = ? AND info LIKE '%FOR UPDATE%'",
    [connectionId],
  );
  return locking.length > 0;
}

test("who waits briefly gives way where two wait for each other", async () => {
  const bothHold = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const swap = (index: 0 | 1, first: string, second: string) =>
    transaction(
      services.database,
      async (tx) => {
        await lock(tx, [first], LONG_WAIT_MS);
        bothHold[index].resolve();
        await bothHold[index === 0 ? 1 : 0].promise;
        return lock(tx, [second], LONG_WAIT_MS);
      },
      BRIEF,
    );
  const outcomes = await Promise.allSettled([swap(0, "one", "two"), swap(1, "two", "one")]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [refused] = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused?.reason).toBeInstanceOf(RowsInUseError);
});

test("rows in use are waited for again only where the next attempt does so in line", async () => {
  const attempts = async (...lockWaits: LockWaits) => {
    const seen: string[] = [];
    const work = transaction(
      services.database,
      async (tx) => {
        seen.push(tx.lockWait);
        throw new RowsInUseError(null);
      },
      lockWaits,
    );
    await expect(work).rejects.toBeInstanceOf(ContentionError);
    return seen;
  };
  expect(await attempts("brief", "brief")).toEqual(["brief"]);
  expect(await attempts("in line", "brief")).toEqual(["in line"]);
  expect(await attempts("brief", "in line", "brief")).toEqual(["brief", "in line"]);
});
