import { expect } from "vitest";
import { utcDay } from "../../clock.ts";
import type { OrderId } from "../../ids.ts";
import { type Microcents, multiply } from "../../money/microcents.ts";
import type { Order } from "../../orders/order.ts";
import { ORDER_STATUSES, type OrderStatus } from "../../orders/order-status.ts";
import { findPurchase } from "../../orders/purchase-store.ts";
import { usd } from "../test-shop.ts";
import { type Run, suppliersOrders } from "./run.ts";
import {
  balanceOf,
  MAX_COST,
  type ProductKind,
  RETRYABLE_MS,
  type RequestedOrder,
  reservedOf,
  type SeenOrder,
  spentOn,
  stockLeft,
} from "./shop-model.ts";

/** What was done between two observations, as far as it explains what has changed. */
export interface StepFacts {
  /** Everything that was posted, by externalOrderId. */
  readonly posted: ReadonlyMap<string, readonly RequestedOrder[]>;
  /** ExternalOrderIds whose refund was asked for. */
  readonly refunded: ReadonlySet<string>;
  /** Whether due orders were taken up. */
  readonly swept: boolean;
  /** Prices that held at some moment. */
  readonly prices: Readonly<Record<ProductKind, readonly Microcents[]>>;
  /** What the time was while it was done. */
  readonly momentsMs: readonly number[];
  /** Whether several things were done at once, so that an order may have gone through several states. */
  readonly together: boolean;
  /** Whether a process may have died, or lost a connection, while it worked on an order. */
  readonly disturbed: boolean;
}

const MAX_ORDERS = 100;

async function readCodes(run: Run, orderId: OrderId): Promise<readonly string[]> {
  try {
    return (await run.services().orders.get(run.accountId, orderId)).codes;
  } catch (error) {
    return expect.fail(`the codes of a delivered order cannot be read: ${error}`);
  }
}

/** Reads the orders as they are now, their codes through the interface where they were not known before. */
async function readOrders(run: Run): Promise<SeenOrder[]> {
  const { orderAdministration, database } = run.services();
  const found = await orderAdministration.search({ accountId: run.accountId }, MAX_ORDERS);
  return Promise.all(
    found.map(async (order) => {
      const seen = run.model.orders.get(order.externalOrderId);
      const isOpen = order.status === "processing" || order.status === "retryable";
      const purchase = isOpen ? await findPurchase(database, order.orderId) : null;
      if (isOpen) expect(purchase, `the purchase of ${order.externalOrderId}`).not.toBeNull();
      if (order.status === "delivered") expect(order.redeemUrl).toMatch(/^https?:/);
      return {
        ...toSeen(run, order),
        codes: order.status === "delivered" ? (seen?.codes ?? (await readCodes(run, order.orderId))) : null,
        leasedUntilMs: purchase?.leased ? purchase.dueAtMs : null,
        dueAtMs: purchase?.dueAtMs ?? null,
        attempts: order.status === "processing" ? (purchase?.attempts ?? 0) : 0,
      };
    }),
  );
}

function toSeen(run: Run, order: Order): Omit<SeenOrder, "codes" | "leasedUntilMs" | "dueAtMs" | "attempts"> {
  const { orderId, externalOrderId, qty, status, unitPriceMicrocents, amountMicrocents } = order;
  const { errorCode, spendDay, createdAtMs, deliveredAtMs, refundedAtMs } = order;
  const kind = order.productId === run.productIds.stocked ? "stocked" : "on-demand";
  expect(order.productId, `the product of ${externalOrderId}`).toBe(run.productIds[kind]);
  expect(order.keyId).toBe(run.keyId);
  return {
    ...{ orderId, externalOrderId, kind, qty, status, unitPriceMicrocents, amountMicrocents },
    ...{ errorCode, spendDay, createdAtMs, deliveredAtMs, refundedAtMs },
  };
}

/** Looks at everything, compares it with what was seen before and what was done since, and remembers it. */
export async function observe(run: Run, facts: StepFacts): Promise<void> {
  const { model } = run;
  const now = new Map((await readOrders(run)).map((order) => [order.externalOrderId, order]));
  for (const [externalOrderId, before] of model.orders) {
    const after = now.get(externalOrderId);
    expect(after, `${externalOrderId} must not vanish`).toBeDefined();
    if (after !== undefined) checkChange(run, before, after, facts);
  }
  for (const [externalOrderId, after] of now) {
    if (!model.orders.has(externalOrderId)) checkNew(run, after, facts);
  }
  model.orders = now;
  checkCodes(run);
  checkSupplier(run);
  await checkSums(run);
}

/** Looks at everything when nothing was done. */
export function observeUndisturbed(run: Run): Promise<void> {
  const { nowMs, prices } = run.model;
  return observe(run, {
    posted: new Map(),
    refunded: new Set(),
    swept: false,
    prices: { "on-demand": [prices["on-demand"]], stocked: [prices.stocked] },
    momentsMs: [nowMs()],
    together: false,
    disturbed: false,
  });
}

const TRANSITIONS: Readonly<Record<"post" | "sweep", Partial<Record<OrderStatus, readonly OrderStatus[]>>>> =
  {
    post: {
      processing: ["processing", "delivered", "retryable", "failed"],
      retryable: ["processing", "delivered", "retryable", "failed"],
    },
    sweep: {
      processing: ["processing", "delivered", "retryable", "failed"],
      retryable: ["retryable", "failed"],
    },
  };

function checkNew(run: Run, after: SeenOrder, facts: StepFacts): void {
  const { posted, refunded, momentsMs } = facts;
  const name = after.externalOrderId;
  const { kind, qty } = after;
  const requestedOrders = (posted.get(name) ?? []).map((requested) => ({
    kind: requested.kind,
    qty: requested.qty,
  }));
  expect(requestedOrders, `${name} is what was posted`).toContainEqual({ kind, qty });
  const possible: OrderStatus[] =
    kind === "stocked" ? ["delivered"] : ["processing", "delivered", "retryable", "failed"];
  if (refunded.has(name)) possible.push("refunded");
  expect(possible, `${name} begins`).toContain(after.status);
  expect(momentsMs).toContain(after.createdAtMs);
  checkAccepted(after, facts);
  checkState(run, after, facts);
}

function checkChange(run: Run, before: SeenOrder, after: SeenOrder, facts: StepFacts): void {
  const name = before.externalOrderId;
  const { orderId, kind, qty, createdAtMs } = before;
  expect(after, `${name} is the same order`).toMatchObject({ orderId, kind, qty, createdAtMs });
  const posted = facts.posted
    .get(name)
    ?.some((requested) => requested.kind === kind && requested.qty === qty);
  const possible = new Set<OrderStatus>([
    ...((posted && TRANSITIONS.post[before.status]) || []),
    ...((facts.swept && isDue(before, run.model.nowMs()) && TRANSITIONS.sweep[before.status]) || []),
  ]);
  const mayBeDelivered = before.status === "delivered" || possible.has("delivered");
  if (facts.refunded.has(name) && mayBeDelivered) possible.add("refunded");
  const stays = before.status === "delivered" && after.status === "delivered";
  if (possible.size === 0 || stays || isUntouched(before, after)) {
    expect(after, `${name} stays as it is`).toEqual(before);
    return;
  }
  expect([before.status, ...possible], `${name} was ${before.status}`).toContain(after.status);
  if (after.status === "refunded") {
    expect(facts.momentsMs).toContain(after.refundedAtMs);
    if (before.status === "delivered") checkPriceKept(before, after);
    return;
  }
  const changed = before.amountMicrocents !== after.amountMicrocents || before.spendDay !== after.spendDay;
  const acceptedAgain = before.status === "retryable" || (facts.together && changed);
  if (posted && acceptedAgain && after.status !== "failed") checkAccepted(after, facts);
  else if (before.status !== "retryable") checkPriceKept(before, after);
  checkState(run, after, facts, before);
}

function isDue({ dueAtMs }: SeenOrder, nowMs: number): boolean {
  return dueAtMs !== null && dueAtMs <= nowMs;
}

/** A retryable order that is sent again in vain may have been accepted in between, or not. */
function isUntouched(before: SeenOrder, after: SeenOrder): boolean {
  const { status, dueAtMs, amountMicrocents, errorCode, spendDay } = before;
  return (
    status === "retryable" &&
    after.status === status &&
    after.dueAtMs === dueAtMs &&
    after.amountMicrocents === amountMicrocents &&
    after.errorCode === errorCode &&
    after.spendDay === spendDay
  );
}

/** What was accepted just now has the price and the day of this moment. */
function checkAccepted(after: SeenOrder, { prices, momentsMs }: StepFacts): void {
  const name = after.externalOrderId;
  expect(prices[after.kind], `${name} has a price that holds`).toContain(after.unitPriceMicrocents);
  expect(after.amountMicrocents).toBe(multiply(after.unitPriceMicrocents, after.qty));
  expect(momentsMs.map(utcDay), `${name} counts towards the day`).toContain(after.spendDay);
}

function checkPriceKept(before: SeenOrder, after: SeenOrder): void {
  const { unitPriceMicrocents, amountMicrocents, spendDay } = before;
  expect(after, `${before.externalOrderId} keeps its price and its day`).toMatchObject({
    unitPriceMicrocents,
    amountMicrocents,
    spendDay,
  });
}

/** What must be so of an order that has just come into its state, or been looked at in it. */
function checkState(
  run: Run,
  after: SeenOrder,
  { disturbed, momentsMs, swept }: StepFacts,
  before?: SeenOrder,
): void {
  const { externalOrderId: name, status, orderId } = after;
  const theirs = suppliersOrders(run).get(orderId)?.status ?? "none";
  expect(ORDER_STATUSES).toContain(status);
  if (after.leasedUntilMs !== null && after.leasedUntilMs !== before?.leasedUntilMs) {
    expect(disturbed, `${name} is left to itself by the process that works on it`).toBe(true);
  }
  switch (status) {
    case "processing":
      expect(after.dueAtMs, `${name} will be looked at again`).not.toBeNull();
      break;
    case "delivered":
      expect(momentsMs).toContain(after.deliveredAtMs);
      break;
    case "retryable":
      expect(after.errorCode).not.toBeNull();
      expect(
        momentsMs.map((ms) => ms + RETRYABLE_MS),
        `${name} will be closed`,
      ).toContain(after.dueAtMs);
      break;
    case "failed":
      expect(after.dueAtMs).toBeNull();
      if (swept && before?.status === "retryable" && isDue(before, run.model.nowMs())) break;
      expect(theirs, `the supplier has closed ${name}`).toBe("failed");
  }
}

/** Each delivered order has its own codes, those that were imported or that the supplier has sold for it. */
function checkCodes(run: Run): void {
  const { importedCodes, orders } = run.model;
  const sold = new Set<string>();
  for (const { externalOrderId: name, orderId, kind, qty, codes } of orders.values()) {
    if (codes === null) continue;
    expect(codes, `${name} has its codes`).toHaveLength(qty);
    for (const code of codes) {
      expect(sold.has(code), `a code of ${name} is on another order`).toBe(false);
      sold.add(code);
    }
    if (kind === "stocked") expect(codes.every((code) => importedCodes.has(code))).toBe(true);
    else expect(codes).toEqual(suppliersOrders(run).get(orderId)?.deliveredCodes);
  }
}

const NOT_BOUGHT: readonly OrderStatus[] = ["retryable", "failed"];

/** The supplier knows our orders only, each as it is, and has sold nothing that we take for not bought, or too dear. */
function checkSupplier(run: Run): void {
  const byOrderId = new Map([...run.model.orders.values()].map((order) => [order.orderId, order]));
  for (const [requestId, theirs] of suppliersOrders(run)) {
    const ours = byOrderId.get(requestId);
    expect(ours, `the supplier was asked for ${requestId}, which is no order`).toBeDefined();
    if (ours === undefined) continue;
    const { externalOrderId: name, qty, kind } = ours;
    expect(kind).toBe("on-demand");
    expect({ qty: theirs.qty, productId: theirs.productId }).toEqual({
      qty,
      productId: run.supplierProductId,
    });
    const bought = theirs.status === "delivered" || theirs.status === "processing";
    if (!bought) continue;
    expect(NOT_BOUGHT, `${name} is ${theirs.status} at the supplier`).not.toContain(ours.status);
    expect(theirs.unitPriceMicrocents, `the cost of ${name}`).toBeLessThanOrEqual(usd(MAX_COST));
  }
}

/** Balance, reservation, daily spend and stock are what the orders come to. */
async function checkSums(run: Run): Promise<void> {
  const { accounts, keys, products } = run.services();
  const [account, spentMicrocents, stocked] = await Promise.all([
    accounts.get(run.accountId),
    keys.spentToday(run.keyId),
    products.stocked(run.productIds.stocked),
  ]);
  const { model } = run;
  expect(account.balanceMicrocents, "more is set aside than there is").toBeGreaterThanOrEqual(
    account.reservedMicrocents,
  );
  expect({
    balance: account.balanceMicrocents,
    reserved: account.reservedMicrocents,
    spentToday: spentMicrocents,
    stock: stocked.remaining,
  }).toEqual({
    balance: balanceOf(model),
    reserved: reservedOf(model),
    spentToday: spentOn(model, utcDay(model.nowMs())),
    stock: stockLeft(model),
  });
}
