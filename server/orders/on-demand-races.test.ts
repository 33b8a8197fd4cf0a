import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { compose } from "../compose.ts";
import { ORDER_DEFAULTS } from "../config.ts";
import { closeDatabase } from "../database/database.ts";
import { ConflictError } from "../errors.ts";
import type { OrderId } from "../ids.ts";
import type { Log } from "../log.ts";
import { type SupplierSimulator, startSupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import { holdMemory } from "../testing/held-time.ts";
import { type Answer, requestShop } from "../testing/request-shop.ts";
import { startServerProcess } from "../testing/server-process.ts";
import {
  expectSalesToAgree,
  orderUntilDelivered,
  persistently,
  waitUntilAllEnded,
} from "../testing/supplied-orders.ts";
import { startTestShop, type TestSettings, type TestShop, testConfig, usd } from "../testing/test-shop.ts";
import { addOnDemandProduct } from "../testing/test-supplier.ts";
import { claimAbandoned } from "./claim-abandoned.ts";

const SILENT: Log = { info() {}, warn() {}, error() {} };
/** Until the test ends the delay. */
const FOR_LONG_MS = 600_000;

let shop: TestShop;
let simulator: SupplierSimulator;
let productId: string;
let supplierProductId: string;
let aheadMs: number;
const clock = () => Date.now() + aheadMs;
beforeEach(async () => {
  aheadMs = 0;
  simulator = await startSupplierSimulator();
  await openShop();
});
afterEach(async () => {
  await expectSalesToAgree(shop, simulator);
  await simulator.close();
  // Ends with the audit.
  await shop.stop();
});

async function openShop(settings: TestSettings = {}): Promise<void> {
  shop = await startTestShop(clock, settings);
  ({ productId, supplierProductId } = await addOnDemandProduct(shop, { simulator }));
}

/** The same with other times. */
async function reopenShop(settings: TestSettings): Promise<void> {
  await shop.stop();
  await openShop(settings);
}

const post = (externalOrderId: string, { key = shop.orderingKey, qty = 1 } = {}): Promise<Answer> =>
  shop.call("/orders", { key, body: { externalOrderId, productId, qty } });

const each = <T>(count: number, of: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => of(index)));

const errorsOf = (answers: Answer[]) => [...new Set(answers.map(({ body }) => body.error))];

test("50 posts of one id at once are one purchase and one charge, and all get the same codes", async () => {
  simulator.setLatency(100);
  const early: Answer[] = [];
  const answers = await each(50, () =>
    orderUntilDelivered(() => post("the one", { qty: 3 }), {
      onAnswer: (answer) => void (answer?.status === 503 && early.push(answer)),
    }),
  );
  expect(errorsOf(early)).toEqual(["order_in_progress"]);
  expect(early.every(({ headers }) => Number(headers.get("retry-after")) >= 1)).toBe(true);
  expect(answers.filter(({ status, body }) => status === 200 && !body.reused)).toHaveLength(1);
  const bought = answers.map(({ body }) => JSON.stringify([body.orderId, body.codes, body.redeemUrl]));
  expect(new Set(bought).size).toBe(1);
  expect(answers[0]?.body.codes).toHaveLength(3);
  expect([...simulator.purchases().values()].map(({ requests }) => requests)).toEqual([1]);
  expect(await shop.accounts.get(shop.accountId)).toMatchObject({
    balanceMicrocents: usd("97"),
    reservedMicrocents: 0n,
  });
});

test("of 200 orders at once exactly the 100 that the account can pay are delivered", async () => {
  const accountId = await shop.addAccount("100");
  const { key } = await shop.addKey(accountId);
  const answers = await each(200, (index) => orderUntilDelivered(() => post(`f-${index}`, { key })));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(errorsOf(refused)).toEqual(["insufficient_balance"]);
  expect(answers.length - refused.length).toBe(100);
  expect(await shop.accounts.get(accountId)).toMatchObject({ balanceMicrocents: 0n, reservedMicrocents: 0n });
  expect((await shop.database.rows("SELECT order_id FROM orders")).length).toBe(100);
});

test("what orders under way hold counts towards the daily cap, and no longer once they are refused", async () => {
  const accountId = await shop.addAccount("100");
  const { key } = await shop.addKey(accountId, "product_ordering", { dailyCapMicrocents: usd("10.00") });
  // The shop remembers for some seconds that there was stock.
  const memory = holdMemory();
  expect(await post("first", { key })).toMatchObject({ status: 200 });
  simulator.setStock(supplierProductId, 0);
  simulator.setLatency(FOR_LONG_MS);
  const refusing = each(9, (index) => post(`held-${index}`, { key }));
  const reserved = async () => (await shop.accounts.get(accountId)).reservedMicrocents;
  await expect.poll(reserved, { interval: 5 }).toBe(usd("9"));
  const above = await each(5, (index) => post(`above-${index}`, { key }));
  expect(await reserved()).toBe(usd("9"));
  expect(errorsOf(above)).toEqual(["key_daily_limit_exceeded"]);
  await expect.poll(() => simulator.purchases().size).toBe(10);
  simulator.endDelays();
  expect(errorsOf(await refusing)).toEqual(["out_of_stock"]);
  expect(await reserved()).toBe(0n);

  simulator.setStock(supplierProductId, null);
  simulator.setLatency(0);
  memory.pass(5_001);
  const again = await each(30, (index) =>
    orderUntilDelivered(() => post(index < 9 ? `held-${index}` : `new-${index}`, { key })),
  );
  expect(again.filter(({ status }) => status === 200)).toHaveLength(9);
  expect(errorsOf(again.filter(({ status }) => status !== 200))).toEqual(["key_daily_limit_exceeded"]);
  expect((await shop.accounts.get(accountId)).balanceMicrocents).toBe(usd("90"));
});

test("orders whose process is gone are taken up once each, by three recovery loops or their buyers", async () => {
  const orderIds = await abandonOrders(24);
  const others = Array.from({ length: 3 }, () => compose(testConfig(shop.databaseUrl), clock));
  const loops = others.map(({ orders }) => orders.startRecovery({ intervalMs: 5, concurrency: 4 }));
  const answers = await each(48, (index) => orderUntilDelivered(() => post(`abandoned-${index % 24}`)));
  await Promise.all(loops.map((loop) => loop.stop()));
  await Promise.all(others.map(({ database }) => closeDatabase(database)));

  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(answers.map(({ body }) => body.orderId).toSorted()).toEqual([...orderIds, ...orderIds].toSorted());
  const posts = [...simulator.purchases().values()].map(({ requests }) => requests);
  expect(posts).toEqual(posts.map(() => 2));
  expect(await shop.accounts.get(shop.accountId)).toMatchObject({
    balanceMicrocents: usd("76"),
    reservedMicrocents: 0n,
  });
});

test("orders of a process that goes on after it was taken for silent are delivered once, whoever ends them", async () => {
  simulator.setLatency(FOR_LONG_MS);
  const placing = each(24, (index) => post(`silent-${index}`));
  await expect.poll(() => simulator.purchases().size, { interval: 1 }).toBe(24);
  const others = Array.from({ length: 3 }, () => compose(testConfig(shop.databaseUrl), clock));
  for (const { processes } of others) vi.spyOn(processes, "silent").mockReturnValue([shop.processes.id]);
  simulator.setLatency(20);
  const loops = others.map(({ orders }) => orders.startRecovery({ intervalMs: 1, concurrency: 8 }));
  await expect.poll(requestsOfAll, { interval: 1 }).toBeGreaterThan(24);
  // Now the answers come that it has waited for.
  simulator.endDelays();
  for (const { status } of await placing) expect([200, 503]).toContain(status);
  const answers = await each(24, (index) => orderUntilDelivered(() => post(`silent-${index}`)));
  await Promise.all(loops.map((loop) => loop.stop()));
  await Promise.all(others.map(({ database }) => closeDatabase(database)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await shop.accounts.get(shop.accountId)).toMatchObject({
    balanceMicrocents: usd("76"),
    reservedMicrocents: 0n,
  });
});

const requestsOfAll = () =>
  [...simulator.purchases().values()].reduce((sum, { requests }) => sum + requests, 0);

test("what a silent process may still send is waited for before a refusal is believed", async () => {
  // However slow the machine is, the first request is under way until the test ends it.
  const settings = { supplierTimeoutMs: 250_000, orderLeaseMs: 600_000 };
  await reopenShop(settings);
  // The shop remembers for some seconds that there was stock.
  holdMemory();
  expect(await post("first")).toMatchObject({ status: 200 });
  simulator.nextPurchases({ kind: "late_effect", delayMs: FOR_LONG_MS });
  const unanswered = post("refused");
  await expect.poll(() => simulator.purchases().size, { interval: 1 }).toBe(2);
  const [, purchase] = await shop.database.rows<{ order_id: OrderId; due_at_ms: bigint }>(
    "SELECT order_id, due_at_ms FROM purchases ORDER BY processing_since_ms",
  );
  const { order_id: orderId, due_at_ms: leaseEndsAtMs } = purchase as {
    order_id: OrderId;
    due_at_ms: bigint;
  };
  const other = compose(testConfig(shop.databaseUrl, settings), clock);
  vi.spyOn(other.processes, "silent").mockReturnValue([shop.processes.id]);
  simulator.setStock(supplierProductId, 0);
  const body = { externalOrderId: "refused", productId, qty: 1 };
  const caller = await shop.keys.authenticate(shop.orderingKey);
  if (caller === null) throw new Error("The key is not known.");
  const taking = other.orders.place({ ...body, caller, expectedUnitPrice: null });
  await expect(taking).rejects.toMatchObject({ code: "supplier_unavailable" });
  const [left] = await shop.database.rows(
    "SELECT leased, unconfirmed_since_ms, due_at_ms FROM purchases WHERE order_id = ?",
    [orderId],
  );
  expect(left).toEqual({
    leased: 0,
    unconfirmed_since_ms: leaseEndsAtMs,
    due_at_ms: leaseEndsAtMs + BigInt(settings.orderLeaseMs),
  });
  simulator.setStock(supplierProductId, null);
  simulator.endDelays();
  await unanswered;
  aheadMs = 3 * settings.orderLeaseMs;
  expect(await orderUntilDelivered(() => post("refused"))).toMatchObject({ status: 200, body: { orderId } });
  await closeDatabase(other.database);
});

/** Orders of a server that was killed: half of them are bought already. Their leases are over. */
async function abandonOrders(count: number): Promise<OrderId[]> {
  const server = await startServerProcess(shop.databaseUrl);
  simulator.fault({ kind: "hang_before", times: count / 2 });
  simulator.fault({ kind: "hang_after", times: count / 2 });
  const placing = each(count, (index) => {
    const body = { externalOrderId: `abandoned-${index}`, productId, qty: 1 };
    return requestShop(server.baseUrl, "/orders", { key: shop.orderingKey, body });
  });
  placing.catch(() => {});
  await expect.poll(() => simulator.purchases().size, { interval: 1 }).toBe(count);
  await server.kill("SIGKILL");
  await Promise.allSettled([placing]);
  aheadMs = 2 * ORDER_DEFAULTS.orderLeaseMs;
  return [...simulator.purchases().keys()] as OrderId[];
}

test("an order that was refused between two looks at it is not taken up, and may be sent again", async () => {
  // The shop remembers for some seconds that there was stock.
  holdMemory();
  expect(await post("first")).toMatchObject({ status: 200 });
  simulator.setStock(supplierProductId, 0);
  expect(await post("refused")).toMatchObject({ status: 409, body: { error: "out_of_stock" } });
  const found = await shop.orders.page(shop.accountId, { limit: 1, externalOrderId: "refused" });
  const orderId = found.orders[0]?.orderId as OrderId;
  const taking = claimAbandoned({ ...shop, log: SILENT, times: { leaseMs: 1 } }, orderId);
  await expect(taking).rejects.toMatchObject({ code: "order_in_progress" });
  simulator.setStock(supplierProductId, null);
  expect(await post("refused")).toMatchObject({ status: 200, body: { orderId, reused: false } });
});

test("refunds racing with purchases and with each other are credited once, and only after the charge", async () => {
  simulator.setLatency(50);
  const buying = each(20, (index) => orderUntilDelivered(() => post(`r-${index}`)));
  const refunds = await each(40, async (index) => {
    const found = () => shop.orders.page(shop.accountId, { limit: 1, externalOrderId: `r-${index % 20}` });
    await expect.poll(async () => (await found()).orders.length, { interval: 1 }).toBe(1);
    return refundPersistently((await found()).orders[0]?.orderId as OrderId);
  });
  const answers = await buying;
  expect(answers.every(({ status, body }) => status === 200 && body.codes.length === 1)).toBe(true);
  expect(refunds.filter(({ repeated }) => !repeated)).toHaveLength(20);
  const late = await each(20, (index) => post(`r-${index}`));
  expect(errorsOf(late)).toEqual(["idempotency_conflict"]);
  expect(late.every(({ body }) => body.details.status === "refunded")).toBe(true);
  expect(await shop.accounts.get(shop.accountId)).toMatchObject({
    balanceMicrocents: usd("100"),
    reservedMicrocents: 0n,
  });
});

/** Refunds an order as soon as it can be refunded. */
async function refundPersistently(orderId: OrderId): ReturnType<TestShop["orderAdministration"]["refund"]> {
  for (;;) {
    try {
      return await persistently(() => shop.orderAdministration.refund(orderId, "race"));
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      expect(error.facts).toMatchObject({ status: "processing" });
    }
  }
}

test("an order call is answered in time however slow the supplier is, and the order is delivered all the same", async () => {
  await reopenShop({ orderDeadlineMs: 200 });
  simulator.nextPurchases({ kind: "late_effect", delayMs: FOR_LONG_MS });
  const inProgress = (retryAfterSeconds: number) => ({
    status: 503,
    body: { error: "order_in_progress", details: { retryAfterSeconds } },
  });
  const late = await post("slow");
  expect(late).toMatchObject(inProgress(5));
  expect(late.headers.get("retry-after")).toBe("5");
  const sent = () => [...simulator.purchases().values()];
  await expect.poll(sent, { interval: 5 }).toMatchObject([{ status: "none", requests: 1 }]);
  expect(await post("slow")).toMatchObject(inProgress(3));
  simulator.endDelays();
  await shop.orders.idle();
  // Looking it up may take a busy machine longer than the call.
  await expect
    .poll(() => post("slow"))
    .toMatchObject({ status: 200, body: { status: "delivered", reused: true } });
  expect(sent()).toMatchObject([{ status: "delivered", requests: 1 }]);
});

test("an order whose supplier hangs is answered in time and delivered later, though nobody asks again", async () => {
  await reopenShop({ orderDeadlineMs: 200, supplierTimeoutMs: 1_500, orderLeaseMs: 3_100 });
  const recovery = shop.orders.startRecovery({ intervalMs: 10, concurrency: 4 });
  simulator.nextPurchases("hang_before", "hang_after");
  const answers = await each(2, (index) => post(`hanging-${index}`));
  expect(errorsOf(answers)).toEqual(["order_in_progress"]);
  const statuses = async () => {
    const { orders } = await shop.orders.page(shop.accountId, { limit: 9 });
    return orders.map(({ status }) => status);
  };
  await expect.poll(async () => (await statuses()).length, { interval: 5 }).toBe(2);
  await waitUntilAllEnded(shop);
  await recovery.stop();
  expect(await statuses()).toEqual(["delivered", "delivered"]);
});
