import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { ContentionError } from "../database/faults.ts";
import type { AccountId, OrderId } from "../ids.ts";
import type { OrderStatus } from "../orders/order-status.ts";
import type { SupplierSimulator } from "../simulators/supplier/supplier-simulator.ts";
import type { Answer } from "./request-shop.ts";
import type { TestServices } from "./test-shop.ts";

/** What a test gives a buyer or an order to come to an end, when it says nothing else: long, for a busy machine. */
const MAX_WAIT_MS = 300_000;
const POLL_MS = 30;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 300;

/**
 * Buys as the contract tells buyers to: the same order again, with backoff, after a broken connection, a 500, and a 503
 * that may pass.
 * @param post sends the order once.
 * @returns the first answer that is final.
 */
export async function orderUntilDelivered(
  post: () => Promise<Answer>,
  { onAnswer = () => {}, isFinal = isFinalAnswer, maxWaitMs = MAX_WAIT_MS }: BuyingOptions = {},
): Promise<Answer> {
  const deadlineMs = Date.now() + maxWaitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    const answer = await post().catch(() => null);
    onAnswer(answer);
    if (answer !== null && isFinal(answer)) return answer;
    if (Date.now() > deadlineMs)
      throw new Error(`No end yet: ${JSON.stringify(answer?.body ?? "no answer")}`);
    await delay(pauseMs * (0.5 + Math.random()));
  }
}

interface BuyingOptions {
  /** Sees every answer; null for a connection that broke. */
  readonly onAnswer?: (answer: Answer | null) => void;
  /** Whether an answer ends the buying; otherwise as the contract says. */
  readonly isFinal?: (answer: Answer) => boolean;
  readonly maxWaitMs?: number;
}

/** Does it again as long as others are in the way, as operators and buyers are told to: a slow machine may bring that about. */
export async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ContentionError)) throw error;
    }
  }
}

function isFinalAnswer({ status, body }: Answer): boolean {
  return status < 500 || body.error === "supplier_not_configured";
}

/** Waits until no order of the shop is processing any more. */
export async function waitUntilAllEnded(
  { database }: Pick<TestServices, "database">,
  maxWaitMs = MAX_WAIT_MS,
): Promise<void> {
  const unsettled = () =>
    database.rows("SELECT order_id, created_at_ms FROM orders WHERE status = 'processing' LIMIT 10");
  await expect.poll(unsettled, { timeout: maxWaitMs, interval: POLL_MS }).toEqual([]);
}

interface SuppliedRow {
  order_id: OrderId;
  account_id: AccountId;
  status: OrderStatus;
  cost_microcents: bigint;
}

/**
 * Fails the test unless the supplier has sold exactly what the shop has delivered: order by order the same codes at the
 * same cost, and nothing else.
 * @returns how many orders were delivered.
 */
export async function expectSalesToAgree(
  { database, orders }: TestServices,
  simulator: SupplierSimulator,
): Promise<number> {
  const rows = await database.rows<SuppliedRow>(
    `SELECT o.order_id, o.account_id, o.status, p.unit_cost_microcents * o.qty AS cost_microcents
     FROM orders o JOIN purchases p ON p.order_id = o.order_id WHERE o.status IN ('delivered', 'refunded')`,
  );
  const shown: [OrderId, { status: OrderStatus; cost: bigint; codes: readonly string[] }][] = [];
  for (const { order_id, account_id, status, cost_microcents } of rows) {
    const { codes } = await orders.get(account_id, order_id);
    shown.push([order_id, { status, cost: BigInt(cost_microcents), codes }]);
  }
  const there = [...simulator.purchases()].filter(([, { deliveredCodes }]) => deliveredCodes.length > 0);
  const sold = new Map(there);
  expect(shown.map(([id]) => id).toSorted()).toEqual([...sold.keys()].toSorted());
  for (const [orderId, { status, cost, codes }] of shown) {
    const sale = sold.get(orderId);
    expect([orderId, cost]).toEqual([orderId, sale?.amountMicrocents]);
    expect([orderId, codes]).toEqual([orderId, status === "delivered" ? sale?.deliveredCodes : []]);
  }
  const codes = there.flatMap(([, { deliveredCodes }]) => deliveredCodes);
  expect(new Set(codes).size).toBe(codes.length);
  return rows.length;
}
