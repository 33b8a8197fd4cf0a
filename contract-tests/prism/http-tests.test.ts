import { globSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { findHttpTests } from "./http-tests.ts";

const root = resolve(import.meta.dirname, "../..");

test("the tests that speak HTTP are found by what they import, directly or not", () => {
  const found = findHttpTests(root, ["server", "client", "scripts"]);
  expect(found).toEqual(expect.arrayContaining(globSync("server/**/*.http.test.ts", { cwd: root })));
  // By way of server/testing/faults/faulty-order.ts.
  expect(found).toContain("server/orders/on-demand-faults.test.ts");
  expect(found).toContain("client/proxy-client.test.ts");
  for (const file of found) expect(file).not.toMatch(/\.faults\.test\.ts$/);
  expect(found).not.toContain("server/money/microcents.test.ts");
  // It opens the use cases, which come from the same module as what starts a service.
  expect(found).not.toContain("server/stock/stock.test.ts");
});
