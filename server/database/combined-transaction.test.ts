import { afterAll, beforeAll, expect, test } from "vitest";
import { holdLock } from "../testing/database/held-lock.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { combinedTransaction } from "./combined-transaction.ts";
import { placeholders } from "./database.ts";
import { lockContested } from "./lock-contested.ts";
import type { Transaction } from "./transaction.ts";

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.dispose());

test("of those that come together only the one whose row is held waits in line, and the others are written", async () => {
  const names = ["first", "free", "held", "open"];
  for (const name of names)
    await services.database.change("INSERT INTO service_secrets (name, ciphertext) VALUES (?, '')", [name]);
  const inLine = new Set<string>();
  const write = async (tx: Transaction, items: readonly string[]) => {
    if (tx.lockWait === "in line") for (const item of items) inLine.add(item);
    const from = `FROM service_secrets WHERE name IN (${placeholders(items)}) ORDER BY name`;
    await lockContested(tx, { columns: "name", nameColumn: "name", from, names: items });
    return items.map((item) => `${item} is written`);
  };
  const add = combinedTransaction(services.database, write, { contestedOf: (name) => name });

  const held = await holdLock(
    services.databaseUrl,
    "SELECT 1 FROM service_secrets WHERE name = 'held' FOR UPDATE",
  );
  const waiting = Promise.allSettled([add("held"), add("held")]);
  // Those that come while it is written go together, with the second of the held ones.
  expect(await Promise.all(["free", "open"].map(add))).toEqual(["free is written", "open is written"]);
  expect([...inLine].filter((name) => name !== "held")).toEqual([]);
  await held.release();
  await waiting;
  expect(await add("held")).toBe("held is written");
  expect([...inLine]).toEqual(["held"]);
  expect(await add("first")).toBe("first is written");
});
