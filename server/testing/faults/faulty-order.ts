import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { DatabaseUnavailableError } from "../../database/faults.ts";
import type { AccountId } from "../../ids.ts";
import type { Order } from "../../orders/order.ts";
import type { FaultRule } from "../../simulators/supplier/fault-schedule.ts";
import {
  type SupplierSimulator,
  startSupplierSimulator,
} from "../../simulators/supplier/supplier-simulator.ts";
import type { Answer } from "../request-shop.ts";
import { orderUntilDelivered } from "../supplied-orders.ts";
import { startTestShop, type TestShop, usd } from "../test-shop.ts";
import { addOnDemandProduct } from "../test-supplier.ts";

/** An order of two codes whose supplier fails. */
export interface FaultyOrder {
  readonly faults: readonly FaultRule[];
  /** Whether its buyer sends it again as the contract says, or only once. */
  readonly persistent: boolean;
  /** Whether the supplier has both codes when the order reaches it, or only one. */
  readonly enough: boolean;
}

const QTY = 2;
const BALANCE = "100";
const AMOUNT = "2";
const COST = "0.50";
const SUPPLIED = "supplied";
/** Long, for a machine that has much else to do. */
const MAX_WAIT_MS = 300_000;
/** What vitest says of a poll that has found nothing until its time was over. */
const LATE_POLL = /^Matcher did not succeed in time/;
const SUPPLIER_TIMEOUT_MS = 1_200;
const ORDER_LEASE_MS = 2_500;
/** What an order's end begins with whose buyer, or whose test, was kept waiting for too long by a busy machine. */
const OUT_OF_TIME = "out of time";
const GOOD_END =
  /: (none|delivered|failed supplier_unavailable|retryable (out_of_stock|supplier_(unavailable|not_configured|price_changed)))$/;

/** How faulty orders are placed. */
interface Pace {
  readonly atOnce: number;
  /** How many times the short times of the shop; 1 suits a machine that is not busy. */
  readonly times: number;
}

const FIRST_PACE: Pace = { atOnce: 24, times: 1 };
/** What is tried again then: the last suits a machine that is very busy. */
const LATER_PACES: readonly Pace[] = [
  { atOnce: 4, times: 4 },
  { atOnce: 4, times: 16 },
];

/** An order and the end that it should come to, such as `retryable out_of_stock`. */
export interface ExpectedOrder {
  /** @param times how many times the short times the shop has; delays of faults go with them. */
  readonly faulty: (times: number) => FaultyOrder;
  readonly end: string;
}

/**
 * Fails the test unless orders come to their ends. A supplier that is slow because the machine is busy has a fault more,
 * and its order may come to another end that there is, or to none in time: it is tried again with longer times.
 */
export async function expectEnds(orders: readonly ExpectedOrder[]): Promise<void> {
  let trying = orders;
  let differences: string[] = [];
  for (const pace of [FIRST_PACE, ...LATER_PACES]) {
    const placed = trying.map(({ faulty }) => faulty(pace.times));
    const ends = await placeFaultyOrders(placed, pace);
    expect(ends.filter((end) => !isAllowedOutcome(end) && !isOutOfTime(end))).toEqual([]);
    const isAsExpected = (index: number) => ends[index]?.endsWith(`: ${trying[index]?.end}`);
    differences = ends.filter((_, index) => !isAsExpected(index));
    trying = trying.filter((_, index) => !isAsExpected(index));
    if (differences.length === 0) return;
  }
  expect(differences, `expected: ${trying.map(({ end }) => end).join(", ")}`).toEqual([]);
}

/**
 * Places orders, some at a time, in a shop of their own with short times. Of each it fails the test unless every answer
 * says what is the case, the end is one that the contract knows, and shop and supplier agree: one charge and one
 * purchase with the same codes in every later reading, or neither of both; nothing is held any more. What is retryable is
 * then bought once the supplier is well.
 * @returns in the order of the orders, what each was, how it ended and, when that was wrong, why; see `describeFaulty`.
 */
export async function placeFaultyOrders(
  orders: readonly FaultyOrder[],
  { atOnce, times }: Pace = FIRST_PACE,
): Promise<string[]> {
  const shop = await startTestShop(Date.now, {
    supplierTimeoutMs: times * SUPPLIER_TIMEOUT_MS,
    orderLeaseMs: times * ORDER_LEASE_MS,
  });
  const recovery = shop.orders.startRecovery({ intervalMs: 20, concurrency: atOnce });
  const ends: string[] = [];
  const waiting = [...orders.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, faulty] = next;
      const end = await placeFaultyOrder(shop, faulty).catch(describeError);
      ends[index] = describeFaulty(faulty, end);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
    return ends;
  } finally {
    await recovery.stop();
    // Ends with the audit.
    await shop.stop();
  }
}

/** One line of an order's faults and circumstances and of how it ended: its state with its error code, where it has one. */
function describeFaulty({ faults, persistent, enough }: FaultyOrder, end: string): string {
  const how = `${enough ? "enough codes" : "too few codes"}, ${persistent ? "sent again" : "sent once"}`;
  return `${faults.map((fault) => JSON.stringify(fault)).join(", ")}, ${how}: ${end}`;
}

/** A wait that came to no end is none of the order's, nor is a connection that was waited for too long. */
function describeError(error: unknown): string {
  const isLate =
    error instanceof DatabaseUnavailableError ||
    (error instanceof Error && /^No end yet/.test(error.message)) ||
    (error instanceof Error && error.cause instanceof Error && LATE_POLL.test(error.cause.message));
  return isLate ? `${OUT_OF_TIME}: ${error}` : String(error);
}

function isOutOfTime(described: string): boolean {
  return described.includes(`: ${OUT_OF_TIME}: `);
}

/** Whether an order has come to one of the ends that there are, and nothing was wrong with it. */
export function isAllowedOutcome(described: string): boolean {
  return GOOD_END.test(described);
}

async function placeFaultyOrder(shop: TestShop, faulty: FaultyOrder): Promise<string> {
  const simulator = await startSupplierSimulator();
  try {
    const buyer = await addBuyer(shop, simulator);
    // The supplier goes on saying that it has enough, or else the end would depend on when the shop asks again.
    const stock = faulty.enough ? null : QTY - 1;
    simulator.setProduct({ productId: SUPPLIED, unitPrice: COST, stock, claimsStock: true });
    for (const fault of faulty.faults) simulator.fault(fault);
    await placeAndWatch(buyer, faulty.persistent);
    const order = await endOf(buyer);
    await expectBooks(buyer, order);

    simulator.clearFaults();
    simulator.setProduct({ productId: SUPPLIED, unitPrice: COST, stock: null });
    await expectWhatFollows(buyer, order);
    return order === null ? "none" : [order.status, order.errorCode ?? []].flat().join(" ");
  } finally {
    await simulator.close();
  }
}

async function addBuyer(shop: TestShop, simulator: SupplierSimulator): Promise<Buyer> {
  const product = { simulator, cost: COST, supplierProductId: SUPPLIED };
  const { productId } = await addOnDemandProduct(shop, product);
  const accountId = await shop.addAccount(BALANCE);
  const { key } = await shop.addKey(accountId);
  const externalOrderId = `faulty-${randomBytes(6).toString("hex")}`;
  const body = { externalOrderId, productId, qty: QTY };
  return {
    shop,
    simulator,
    accountId,
    externalOrderId,
    post: () => shop.call("/orders", { key, body }),
    read: (orderId) => shop.call(`/orders/${orderId}`, { key }),
  };
}

interface Buyer {
  readonly shop: TestShop;
  readonly simulator: SupplierSimulator;
  readonly accountId: AccountId;
  readonly externalOrderId: string;
  post(): Promise<Answer>;
  read(orderId: string): Promise<Answer>;
}

/** What the contract says that an answer leaves behind. */
const LEAVES: Readonly<Record<string, readonly string[]>> = {
  200: ["delivered"],
  out_of_stock: ["none", "retryable"],
  supplier_price_changed: ["none", "retryable"],
  supplier_not_configured: ["none", "retryable"],
  idempotency_conflict: ["failed"],
  supplier_unavailable: ["none", "retryable", "processing", "delivered", "failed"],
  order_in_progress: ["processing", "retryable", "delivered", "failed"],
  order_commit_pending: ["processing", "retryable", "delivered", "failed"],
};

async function placeAndWatch(buyer: Buyer, persistent: boolean): Promise<Answer> {
  const place = async () => {
    const answer = await buyer.post();
    const said = answer.status === 200 ? "200" : answer.body.error;
    const status = (await find(buyer))?.status ?? "none";
    expect(LEAVES[said], `${said} left an order that is ${status}`).toContain(status);
    return answer;
  };
  return persistent ? orderUntilDelivered(place, { maxWaitMs: MAX_WAIT_MS }) : place();
}

async function find({ shop, accountId, externalOrderId }: Buyer): Promise<Order | null> {
  return (await shop.orders.page(accountId, { limit: 1, externalOrderId })).orders[0] ?? null;
}

async function endOf(buyer: Buyer): Promise<Order | null> {
  const status = async () => (await find(buyer))?.status;
  await expect.poll(status, { interval: 20, timeout: MAX_WAIT_MS }).not.toBe("processing");
  return find(buyer);
}

async function expectBooks({ shop, simulator, accountId }: Buyer, order: Order | null): Promise<void> {
  const charged = order?.status === "delivered" ? usd(AMOUNT) : 0n;
  expect(await shop.accounts.get(accountId)).toMatchObject({
    balanceMicrocents: usd(BALANCE) - charged,
    reservedMicrocents: 0n,
  });
  const sold = [...simulator.purchases()].filter(([, { status }]) => status === "delivered");
  expect(sold.map(([id]) => id)).toEqual(order?.status === "delivered" ? [order.orderId] : []);
}

/** Reads, repeats and, where that makes sense, refunds the order; the supplier is well by now. */
async function expectWhatFollows(buyer: Buyer, order: Order | null): Promise<void> {
  if (order?.status === "failed") {
    expect(await buyer.post()).toMatchObject({
      status: 409,
      body: { error: "idempotency_conflict", details: { orderId: order.orderId, status: "failed" } },
    });
    return;
  }
  if (order?.status !== "delivered") {
    const status = async () => (await buyer.post()).status;
    await expect.poll(status, { interval: 50, timeout: MAX_WAIT_MS }).toBe(200);
  }
  const bought = await find(buyer);
  if (bought === null) throw new Error("The order is gone.");
  if (order !== null) expect(bought.orderId).toBe(order.orderId);
  const codes = buyer.simulator.purchases().get(bought.orderId)?.deliveredCodes;
  const delivered = { status: 200, body: { orderId: bought.orderId, status: "delivered", codes } };
  expect(await buyer.read(bought.orderId)).toMatchObject(delivered);
  expect(await buyer.post()).toMatchObject({ ...delivered, body: { ...delivered.body, reused: true } });
  expect(await buyer.read(bought.orderId)).toMatchObject(delivered);
  await expectBooks(buyer, bought);

  await buyer.shop.orderAdministration.refund(bought.orderId, "test");
  expect(await buyer.read(bought.orderId)).toMatchObject({ body: { status: "refunded", codes: [] } });
  expect(await buyer.post()).toMatchObject({ body: { error: "idempotency_conflict" } });
}
