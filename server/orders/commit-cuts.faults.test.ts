import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import { DomainError } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { type CommitCutter, startCommitCutter } from "../testing/faults/commit-cutter.ts";
import { scaled } from "../testing/faults/fault-runs.ts";
import { expectSalesToAgree, waitUntilAllEnded } from "../testing/supplied-orders.ts";
import { openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

const ORDERS = scaled(200);
const TOGETHER = 10;
const TIMES = { supplierTimeoutMs: 1_000, orderLeaseMs: 2_100 };

let services: TestServices;
let cutter: CommitCutter;
let behindCutter: Services;
let simulator: SupplierSimulator;
let accountId: AccountId;
let caller: Caller;
let onDemand: string;
let fromStock: string;
beforeEach(async () => {
  services = await openTestServices();
  cutter = await startCommitCutter(services.databaseTcpUrl);
  behindCutter = compose({ ...testConfig(cutter.url, TIMES), databasePoolSize: 8 });
  simulator = await startSupplierSimulator();
  accountId = await services.addAccount("1000");
  const known = await services.keys.authenticate((await services.addKey(accountId)).key);
  if (known === null) throw new Error("the key is not known");
  caller = known;
  const product = await addOnDemandProduct(services, { simulator });
  onDemand = product.productId;
  fromStock = (await services.addProduct({ codes: ORDERS + TOGETHER })).productId;
});
afterEach(async () => {
  await closeDatabase(behindCutter.database);
  cutter.close();
  await expectSalesToAgree(services, simulator);
  await simulator.close();
  // Ends with the audit.
  await services.dispose();
});

const place = (externalOrderId: string, productId: string) =>
  behindCutter.orders.place({ caller, externalOrderId, productId, qty: 1, expectedUnitPrice: null });

type Outcome = Awaited<ReturnType<typeof place>>;

async function expectCharged(orders: number): Promise<void> {
  expect(await services.accounts.get(accountId)).toMatchObject({
    balanceMicrocents: usd("1000") - usd("1") * BigInt(orders),
    reservedMicrocents: 0n,
  });
}

/** Places orders one after the other. Of the commits of each, every n-th gets no answer. */
async function placeCut(productId: string, everyNth: number): Promise<void> {
  for (let index = 0; index < ORDERS; index += 1) {
    cutter.cutEvery(everyNth);
    const first = await place(`cut-${index}`, productId);
    cutter.cutEvery(0);
    expect(first).toMatchObject({ reused: false, order: { status: "delivered" } });
    expect(await place(`cut-${index}`, productId)).toEqual({ order: first.order, reused: true });
  }
  await expectCharged(ORDERS);
}

test("orders from stock whose commit gets no answer are delivered, and given again to who repeats them", async () => {
  await placeCut(fromStock, 1);
  expect(cutter.cuts()).toBe(ORDERS);
});

test.each([
  ["delivery gets", 2, 1],
  ["acceptance and delivery get", 1, 2],
])(
  "on-demand orders whose %s no answer are bought once, and given again to who repeats them",
  async (_name, n, cuts) => {
    await placeCut(onDemand, n);
    expect(cutter.cuts()).toBe(cuts * ORDERS);
  },
);

test("refused orders whose release gets no answer are released once, and bought when they are sent again", async () => {
  for (let index = 0; index < ORDERS; index += 1) {
    simulator.fault({ kind: "refuse", code: "out_of_stock" });
    cutter.cutEvery(2);
    await expect(place(`refused-${index}`, onDemand)).rejects.toMatchObject({ code: "out_of_stock" });
    // Now of the acceptance anew.
    cutter.cutEvery(0);
    cutter.cutNextCommit();
    const bought = await place(`refused-${index}`, onDemand);
    expect(bought).toMatchObject({ reused: false, order: { status: "delivered" } });
    expect(await place(`refused-${index}`, onDemand)).toEqual({ order: bought.order, reused: true });
  }
  expect(cutter.cuts()).toBe(2 * ORDERS);
  await expectCharged(ORDERS);
});

test("orders that come together, while every other commit gets no answer, are each delivered once", async () => {
  const recovery = behindCutter.orders.startRecovery({ intervalMs: 50, concurrency: 16 });
  cutter.cutEvery(2);
  const codes: (string | undefined)[] = [];
  for (let round = 0; codes.length < ORDERS; round += 1) {
    const outcomes = await Promise.all(
      Array.from({ length: TOGETHER }, (_, index) =>
        placePersistently(`together-${round}-${index}`, index % 2 ? onDemand : fromStock),
      ),
    );
    codes.push(...outcomes.map(({ order }) => order.codes[0]));
  }
  cutter.cutEvery(0);
  await waitUntilAllEnded(services);
  await recovery.stop();
  expect(cutter.cuts()).toBeGreaterThan(0);
  expect(new Set(codes).size).toBe(codes.length);
  await expectCharged(codes.length);
});

/** Sends an order until it is delivered; from then on it is always the same one. */
async function placePersistently(externalOrderId: string, productId: string): Promise<Outcome> {
  for (;;) {
    const before = (await services.orders.page(accountId, { limit: 1, externalOrderId })).orders[0];
    try {
      const outcome = await place(externalOrderId, productId);
      if (before?.status === "delivered") expect(outcome.reused).toBe(true);
      const again = await services.orders.place({
        caller,
        externalOrderId,
        productId,
        qty: 1,
        expectedUnitPrice: null,
      });
      expect(again).toEqual({ order: outcome.order, reused: true });
      return outcome;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      expect(["order_in_progress", "order_commit_pending", "supplier_unavailable"]).toContain(error.code);
      await delay(20);
    }
  }
}
