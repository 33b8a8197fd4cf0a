import { afterEach, beforeEach, expect, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { AccountId, OrderId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { type CommitCutter, startCommitCutter } from "../testing/faults/commit-cutter.ts";
import { openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";

const ROUNDS = 25;

let services: TestServices;
let cutter: CommitCutter;
let behindCutter: Services;
let accountId: AccountId;
let caller: Caller;
beforeEach(async () => {
  services = await openTestServices();
  cutter = await startCommitCutter(services.databaseTcpUrl);
  behindCutter = compose({ ...testConfig(cutter.url), databasePoolSize: 4 });
  accountId = await services.addAccount("100");
  const known = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (known === null) throw new Error("the key is not known");
  caller = known;
});
afterEach(async () => {
  await closeDatabase(behindCutter.database);
  cutter.close();
  // Ends with the audit.
  await services.dispose();
});

const balance = async () => (await services.accounts.get(accountId)).balanceMicrocents;

test("an order whose commit was cut off is found and answered, and charged once", async () => {
  const { productId, codes } = await services.addProduct({ price: "1.00", codes: ROUNDS });
  const sold: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const request = { caller, externalOrderId: `cut-${round}`, productId, qty: 1, expectedUnitPrice: null };
    cutter.cutNextCommit();
    const first = await behindCutter.orders.place(request);
    expect(first.reused).toBe(false);
    const again = await behindCutter.orders.place(request);
    expect(again).toEqual({ order: first.order, reused: true });
    sold.push(...first.order.codes);
  }
  expect(cutter.cuts()).toBe(ROUNDS);
  expect(sold).toEqual(codes);
  expect(await balance()).toBe(usd("75"));
});

test("orders that share a transaction whose commit was cut off find each its own, and are charged once", async () => {
  const { productId, codes } = await services.addProduct({ price: "1.00", codes: 17 });
  cutter.cutEvery(1);
  const placed = await Promise.all(
    codes.map((_, index) =>
      behindCutter.orders.place({
        ...{ caller, externalOrderId: `cut-${index}`, productId, qty: 1 },
        expectedUnitPrice: null,
      }),
    ),
  );
  expect(cutter.cuts()).toBeGreaterThan(0);
  expect(cutter.cuts()).toBeLessThan(codes.length);
  expect(placed.filter(({ reused }) => reused)).toEqual([]);
  expect(placed.flatMap(({ order }) => order.codes).toSorted()).toEqual(codes.toSorted());
  expect(await balance()).toBe(usd("83"));
});

test("an order whose commit was cut off while the database stays away is pending, and a retry finds it", async () => {
  const { productId } = await services.addProduct({ price: "1.00" });
  const request = { caller, externalOrderId: "away", productId, qty: 1, expectedUnitPrice: null };
  cutter.cutNextCommit();
  const placing = behindCutter.orders.place(request);
  await expect.poll(() => cutter.cuts(), { interval: 1 }).toBe(1);
  cutter.close();
  await expect(placing).rejects.toMatchObject({ code: "order_commit_pending" });
  expect(await services.orders.place(request)).toMatchObject({
    reused: true,
    order: { status: "delivered" },
  });
  expect(await balance()).toBe(usd("99"));
});

test("a top-up and a refund whose commits were cut off take effect once", async () => {
  cutter.cutNextCommit();
  const topUp = { accountId, amountMicrocents: usd("5"), reference: "cut" };
  expect(await behindCutter.ledger.topUp(topUp)).toMatchObject({ repeated: false });
  expect(await behindCutter.ledger.topUp(topUp)).toMatchObject({ repeated: true });

  const { productId } = await services.addProduct({ price: "1.00" });
  const request = { caller, externalOrderId: "r", productId, qty: 1, expectedUnitPrice: null };
  const orderId: OrderId = (await services.orders.place(request)).order.orderId;
  cutter.cutNextCommit();
  expect(await behindCutter.orderAdministration.refund(orderId, "cut")).toMatchObject({ repeated: false });
  expect(await behindCutter.orderAdministration.refund(orderId, "cut")).toMatchObject({ repeated: true });
  expect(cutter.cuts()).toBe(2);
  expect(await balance()).toBe(usd("105"));
});
