import { resolve } from "node:path";
import { expect, test } from "vitest";
import { findDatabaseTests } from "./database-tests.ts";

const root = resolve(import.meta.dirname, "../../..");

test("the tests that use a database are found by what they import, directly or not", () => {
  const found = findDatabaseTests(root);
  expect(found).toContain("server/testing/database/test-database.test.ts");
  // By way of server/testing/test-shop.ts.
  expect(found).toContain("server/stock/stock.test.ts");
  expect(found).toContain("server/orders/on-demand-faults.test.ts");
  for (const file of found) expect(file).not.toMatch(/\.faults\.test\.ts$/);
  expect(found).not.toContain("server/money/microcents.test.ts");
  expect(found).not.toContain("server/messages/usage-reader.test.ts");
});
