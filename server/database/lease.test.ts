import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { closeDatabase, type Database, openDatabase } from "./database.ts";
import { withLease } from "./lease.ts";
import { createLease, takeLease } from "./lease-store.ts";

const NAME = "test";

let services: TestServices;
let others: Database[];
beforeEach(async () => {
  services = await openTestServices();
  others = [1, 2, 3].map(() => openDatabase({ url: services.databaseUrl, poolSize: 2 }));
});
afterEach(async () => {
  await Promise.all(others.map(closeDatabase));
  await services.dispose();
});

test("what several want to do at once, one after the other does", async () => {
  let atWork = 0;
  const seen: number[] = [];
  await Promise.all(
    others.map((database) =>
      withLease(database, NAME, async (takenOver) => {
        atWork += 1;
        await database.rows("SELECT SLEEP(0.05)");
        seen.push(atWork);
        atWork -= 1;
        expect(takenOver).toBe(false);
      }),
    ),
  );
  expect(seen).toEqual([1, 1, 1]);
});

test("work that fails gives its lease back", async () => {
  await expect(withLease(services.database, NAME, () => Promise.reject(new Error("no")))).rejects.toThrow(
    "no",
  );
  expect(await withLease(services.database, NAME, async (takenOver) => takenOver)).toBe(false);
});

test("the lease of one that died is taken over when it has run out, and the next one knows", async () => {
  await createLease(services.database, NAME);
  expect(await takeLease(services.database, { name: NAME, holder: "dead", leaseMs: 600_000 })).toBe(true);
  expect(await takeLease(services.database, { name: NAME, holder: "other", leaseMs: 600_000 })).toBe(false);
  await services.database.change("UPDATE service_leases SET until_ms = 1 WHERE name = ?", [NAME]);
  expect(await withLease(services.database, NAME, async (takenOver) => takenOver)).toBe(true);
});
