import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compose, type Services } from "../compose.ts";
import { ORDER_DEFAULTS } from "../config.ts";
import { closeDatabase } from "../database/database.ts";
import { CommitOutcomeUnknownError } from "../database/faults.ts";
import type { AccountId, OrderId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { type CommitCutter, startCommitCutter } from "../testing/faults/commit-cutter.ts";
import { startInterceptor } from "../testing/faults/interceptor.ts";
import { openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";

const ROUNDS = 25;
/** Until the test ends the delay. */
const FOR_LONG_MS = 600_000;

let services: TestServices;
let cutter: CommitCutter;
let behindCutter: Services;
let accountId: AccountId;
let caller: Caller;
let aheadMs: number;
const clock = () => Date.now() + aheadMs;
beforeEach(async () => {
  aheadMs = 0;
  services = await openTestServices(clock);
  cutter = await startCommitCutter(services.databaseTcpUrl);
  behindCutter = compose({ ...testConfig(cutter.url), databasePoolSize: 4 }, clock);
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
  cutter.cutNextCommitAndShut();
  await expect(behindCutter.orders.place(request)).rejects.toMatchObject({ code: "order_commit_pending" });
  expect(await services.orders.place(request)).toMatchObject({
    reused: true,
    order: { status: "delivered" },
  });
  expect(await balance()).toBe(usd("99"));
});

test("an order whose commit was cut off and whose codes cannot be read is pending, and a retry finds it", async () => {
  const { productId } = await services.addProduct({ price: "1.00" });
  const request = { caller, externalOrderId: "unread", productId, qty: 1, expectedUnitPrice: null };
  let isCut = false;
  const between = await startInterceptor(services.databaseTcpUrl, ({ from, request: asked }) => {
    const isCommitted = from === "server" && asked === "query COMMIT";
    const areCodesAsked = isCut && from === "client" && asked.includes("FROM codes");
    isCut ||= isCommitted;
    if (areCodesAsked) between.shut();
    return isCommitted || areCodesAsked ? "cut" : "pass";
  });
  const behind = compose({ ...testConfig(between.url), databasePoolSize: 4 }, clock);
  await expect(behind.orders.place(request)).rejects.toMatchObject({ code: "order_commit_pending" });
  await closeDatabase(behind.database);
  between.close();
  expect(isCut).toBe(true);
  expect(await services.orders.place(request)).toMatchObject({ reused: true });
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

test.each(["top-up", "refund"])(
  "a %s whose commit was cut off while the database stays away is unknown",
  async (what) => {
    const { productId } = await services.addProduct({ price: "1.00" });
    const { order } = await services.orders.place({ ...wish("gone", productId) });
    cutter.cutNextCommitAndShut();
    const { ledger, orderAdministration } = behindCutter;
    const changing =
      what === "top-up"
        ? ledger.topUp({ accountId, amountMicrocents: usd("5"), reference: "gone" })
        : orderAdministration.refund(order.orderId, "gone");
    await expect(changing).rejects.toThrow(CommitOutcomeUnknownError);
    expect(await balance()).toBe(usd(what === "top-up" ? "104" : "100"));
  },
);

// From here on commits are lost before they reach the server, which rolls back.

const wish = (externalOrderId: string, productId: string) => ({
  ...{ caller, externalOrderId, productId, qty: 1 },
  expectedUnitPrice: null,
});
const PENDING = { code: "order_commit_pending" };

test("an order from stock whose commit was lost is pending, and bought when it is sent again", async () => {
  const { productId, codes } = await services.addProduct({ price: "1.00", codes: 1 });
  cutter.loseNextCommit();
  await expect(behindCutter.orders.place(wish("lost", productId))).rejects.toMatchObject(PENDING);
  expect(await balance()).toBe(usd("100"));
  const { order, reused } = await behindCutter.orders.place(wish("lost", productId));
  expect({ reused, codes: order.codes }).toEqual({ reused: false, codes });
  expect(await balance()).toBe(usd("99"));
});

test("orders that share a transaction whose commit was lost are all pending, and bought when they are sent again", async () => {
  const { productId, codes } = await services.addProduct({ price: "1.00", codes: 9 });
  const placeAll = () =>
    Promise.allSettled(codes.map((_, index) => behindCutter.orders.place(wish(`lost-${index}`, productId))));
  cutter.loseNextCommit(1);
  const first = await placeAll();
  const lost = first.filter(({ status }) => status === "rejected");
  expect(lost).not.toEqual([]);
  expect(lost).toEqual(lost.map(() => ({ status: "rejected", reason: expect.objectContaining(PENDING) })));
  expect(await balance()).toBe(usd(String(100 - (codes.length - lost.length))));
  const again = await placeAll();
  const reused = again.map((outcome) => outcome.status === "fulfilled" && outcome.value.reused);
  expect(reused).toEqual(first.map(({ status }) => status === "fulfilled"));
  const sold = again.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value.order.codes : []));
  expect(sold.toSorted()).toEqual(codes.toSorted());
  expect(await balance()).toBe(usd("91"));
});

test("a top-up and a refund whose commits were lost are told as uncertain, and take effect when they are repeated", async () => {
  const topUp = { accountId, amountMicrocents: usd("5"), reference: "lost" };
  cutter.loseNextCommit();
  await expect(behindCutter.ledger.topUp(topUp)).rejects.toThrow(CommitOutcomeUnknownError);
  expect(await balance()).toBe(usd("100"));
  expect(await behindCutter.ledger.topUp(topUp)).toMatchObject({ repeated: false });

  const { productId } = await services.addProduct({ price: "1.00" });
  const { order } = await services.orders.place(wish("r", productId));
  cutter.loseNextCommit();
  await expect(behindCutter.orderAdministration.refund(order.orderId, "lost")).rejects.toThrow(
    CommitOutcomeUnknownError,
  );
  expect(await balance()).toBe(usd("104"));
  expect(await behindCutter.orderAdministration.refund(order.orderId, "lost")).toMatchObject({
    repeated: false,
  });
  expect(await balance()).toBe(usd("105"));
});

describe("on demand", () => {
  let simulator: SupplierSimulator;
  let productId: string;
  beforeEach(async () => {
    simulator = await startSupplierSimulator();
    ({ productId } = await addOnDemandProduct(services, { simulator }));
  });
  afterEach(() => simulator.close());

  const place = () => behindCutter.orders.place(wish("lost", productId));
  const refuseNext = () => simulator.nextPurchases({ kind: "refuse", code: "out_of_stock" });
  const stored = async () => (await services.orders.page(accountId, { limit: 1 })).orders[0];
  const requests = () => [...simulator.purchases().values()].map((purchase) => purchase.requests);

  async function expectFunds(balance: string, reserved: string): Promise<void> {
    expect(await services.accounts.get(accountId)).toMatchObject({
      balanceMicrocents: usd(balance),
      reservedMicrocents: usd(reserved),
    });
  }

  test("a new order whose acceptance was lost is pending, and nothing is bought for it", async () => {
    cutter.loseNextCommit();
    await expect(place()).rejects.toMatchObject(PENDING);
    expect(requests()).toEqual([]);
    await expectFunds("100", "0");
    expect(await place()).toMatchObject({ reused: false, order: { status: "delivered" } });
    expect(requests()).toEqual([1]);
    await expectFunds("99", "0");
  });

  test("an order sent again whose acceptance was lost is pending, and nothing is bought for it", async () => {
    refuseNext();
    await expect(place()).rejects.toMatchObject({ code: "out_of_stock" });
    expect(requests()).toEqual([1]);
    cutter.loseNextCommit();
    await expect(place()).rejects.toMatchObject(PENDING);
    expect(requests()).toEqual([1]);
    expect(await stored()).toMatchObject({ status: "retryable" });
    await expectFunds("100", "0");
    expect(await place()).toMatchObject({ reused: false, order: { status: "delivered" } });
    expect(requests()).toEqual([2]);
    await expectFunds("99", "0");
  });

  /** The lease ends while the supplier is asked, so that what it says is not written down any more. */
  async function placeWithoutResult(): Promise<void> {
    simulator.setLatency(FOR_LONG_MS);
    cutter.loseNextCommit(1);
    const placing = expect(place()).rejects.toMatchObject(PENDING);
    await expect.poll(requests).toHaveLength(1);
    aheadMs = ORDER_DEFAULTS.orderLeaseMs;
    simulator.endDelays();
    await placing;
    simulator.setLatency(0);
    expect(await stored()).toMatchObject({ status: "processing" });
    await expectFunds("100", "1");
  }

  test("an order whose delivery was lost is delivered by the attempt that bought it", async () => {
    cutter.loseNextCommit(1);
    const { order, reused } = await place();
    expect(reused).toBe(false);
    expect(order.codes).toEqual(simulator.purchases().get(order.orderId)?.deliveredCodes);
    expect(requests()).toEqual([1]);
    await expectFunds("99", "0");
  });

  test("an order whose delivery was lost at the end of its lease is delivered by the next attempt", async () => {
    await placeWithoutResult();
    const { order } = await place();
    expect(order.codes).toEqual(simulator.purchases().get(order.orderId)?.deliveredCodes);
    expect(simulator.purchases().size).toBe(1);
    await expectFunds("99", "0");
  });

  test("an order whose release was lost is released and told as refused", async () => {
    refuseNext();
    cutter.loseNextCommit(1);
    await expect(place()).rejects.toMatchObject({ code: "out_of_stock" });
    expect(await stored()).toMatchObject({ status: "retryable" });
    await expectFunds("100", "0");
    expect(await place()).toMatchObject({ order: { status: "delivered" } });
    await expectFunds("99", "0");
  });

  test("an order whose giving up was lost is not told as given up", async () => {
    await placeWithoutResult();
    const orderId = (await stored())?.orderId as OrderId;
    cutter.loseNextCommit();
    await expect(behindCutter.orderAdministration.giveUp(orderId)).rejects.toThrow(CommitOutcomeUnknownError);
    expect(await stored()).toMatchObject({ status: "processing" });
    await expectFunds("100", "1");
    aheadMs *= 2;
    expect(await behindCutter.orderAdministration.giveUp(orderId)).toMatchObject({
      order: { status: "failed" },
    });
    await expectFunds("100", "0");
  });
});
