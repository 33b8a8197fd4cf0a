import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { InvalidInputError } from "../errors.ts";
import { type OrderId, parseId } from "../ids.ts";
import { add, type Microcents, ZERO } from "../money/microcents.ts";
import type { SupplierAdapter, SupplierOrder } from "../suppliers/supplier.ts";
import type { Suppliers } from "../suppliers/suppliers.ts";
import type { OrderStatus } from "./order-status.ts";
import {
  type BoughtOrder,
  findBoughtOrders,
  findDelivered,
  firstCreatedAtMs,
  type TimeWindow,
} from "./reconcile-store.ts";

/**
 * What is wrong with one order:
 * - `missing_here`: the supplier delivered it and we did not, or do not know it at all.
 * - `missing_there`: we delivered it, and the supplier does not know it or has not delivered it.
 * - `amount_differs`: both delivered it, at another cost; what the supplier has refunded costs nothing.
 * - `above_maximum`: we delivered it, and it cost more than we had agreed to pay at the most, whatever else is said of it.
 */
export type DifferenceKind = "missing_here" | "missing_there" | "amount_differs" | "above_maximum";

/** An order that something is wrong with. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** What the supplier calls its buyer's id: our order's id, unless another buyer made it. */
  readonly requestId: string;
  /** Null when we do not know it. */
  readonly here: {
    readonly status: OrderStatus;
    /** Null as long as nothing was delivered. */
    readonly costMicrocents: Microcents | null;
    /** The most that it was allowed to cost. */
    readonly maxCostMicrocents: Microcents;
  } | null;
  /** Null when the supplier does not know it. */
  readonly there: Pick<SupplierOrder, "supplierOrderId" | "status" | "amountMicrocents"> | null;
}

/** How many orders one side has delivered, and what they cost. */
export interface Total {
  readonly orders: number;
  readonly costMicrocents: Microcents;
}

/** What the comparison of both lists found. */
export interface Reconciliation {
  /** What was compared: what was asked for, without what is too young to be in both lists for certain. */
  readonly window: TimeWindow;
  readonly here: Total;
  readonly there: Total;
  readonly counts: Readonly<Record<DifferenceKind, number>>;
  /** At most 10,000 of them. */
  readonly differences: readonly Difference[];
}

/** How far a comparison has come. `share` is from 0 to 1. */
export interface ReconcileProgress {
  readonly share: number;
  readonly here: number;
  readonly there: number;
}

/** What is compared, and how. */
export interface ReconcileRequest {
  readonly supplierId: string;
  readonly window: TimeWindow;
  /** How fast the supplier's list is read at the most: its request limit is needed for buying, too. */
  readonly ordersPerMinute: number;
  readonly onProgress?: (progress: ReconcileProgress) => void;
}

/** What reconciling needs. */
export interface ReconcileDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly suppliers: Pick<Suppliers, "adapterOf">;
}

// The supplier's clock is not ours, and its list is read from earlier on.
const MARGIN_MS = 24 * 60 * 60 * 1_000;
// What was delivered just now may have been bought after the supplier's first page was read.
const SETTLED_AFTER_MS = 60_000;
const MAX_DIFFERENCES = 10_000;
const BATCH = 500;

/**
 * Compares what we delivered in a window with the supplier's own list, order by order. Both lists are read newest first
 * and side by side, so that a history of any length takes little memory.
 * @throws {InvalidInputError} the window is empty. @throws {SupplierUnavailableError} @throws {SupplierNotConfiguredError}
 */
export async function reconcile(
  { database, clock, suppliers }: ReconcileDependencies,
  { supplierId, window: asked, ordersPerMinute, onProgress = () => {} }: ReconcileRequest,
): Promise<Reconciliation> {
  const nowMs = clock();
  const window = { fromMs: asked.fromMs, toMs: Math.min(asked.toMs, nowMs - SETTLED_AFTER_MS) };
  if (asked.fromMs >= asked.toMs) throw new InvalidInputError("The window ends before it begins.");
  if (window.fromMs >= window.toMs)
    throw new InvalidInputError("The window has no past yet: orders can be compared after a minute.");
  const { adapter } = await suppliers.adapterOf(supplierId);
  const firstMs = await firstCreatedAtMs(database, supplierId, window);
  // An order was placed with us before it was placed with the supplier.
  const sinceMs = Math.min(window.fromMs, firstMs ?? window.fromMs) - MARGIN_MS;
  const comparison = new Comparison(supplierId, window);
  const ours = readDelivered(database, supplierId, window);
  let reachedHereMs = Number.POSITIVE_INFINITY;

  const readOursUntil = async (reachedThereMs: number) => {
    while (reachedHereMs > reachedThereMs) {
      const { value: batch, done } = await ours.next();
      if (done) reachedHereMs = Number.NEGATIVE_INFINITY;
      else reachedHereMs = comparison.addOurs(batch);
    }
  };
  for await (const batch of inBatches(adapter.history(sinceMs), (BATCH / ordersPerMinute) * 60_000)) {
    const known = await findBoughtOrders(database, ourIdsIn(batch));
    for (const order of batch) comparison.addTheirs(order, known.get(order.requestId) ?? null);
    const reachedMs = batch.at(-1)?.createdAtMs ?? nowMs;
    await readOursUntil(reachedMs);
    const share = Math.min(Math.max((nowMs - reachedMs) / (nowMs - sinceMs), 0), 1);
    onProgress({ share, ...comparison.read });
  }
  await readOursUntil(Number.NEGATIVE_INFINITY);
  return comparison.conclude();
}

/** Two lists that are read at the same time, and what they disagree about so far. */
class Comparison {
  /** How many orders were read on each side. */
  readonly read = { here: 0, there: 0 };
  readonly #supplierId: string;
  readonly #window: TimeWindow;
  // Those that only one of the two sides has come to: few, as both are read in the same order.
  readonly #onlyHere = new Map<string, BoughtOrder>();
  readonly #onlyThere = new Set<string>();
  readonly #counts: Record<DifferenceKind, number> = {
    missing_here: 0,
    missing_there: 0,
    amount_differs: 0,
    above_maximum: 0,
  };
  readonly #differences: Difference[] = [];
  #here: Total = { orders: 0, costMicrocents: ZERO };
  #there: Total = { orders: 0, costMicrocents: ZERO };

  constructor(supplierId: string, window: TimeWindow) {
    this.#supplierId = supplierId;
    this.#window = window;
  }

  /** @returns when the last of them was placed. */
  addOurs(orders: readonly BoughtOrder[]): number {
    for (const order of orders) {
      this.read.here += 1;
      this.#here = addTo(this.#here, order.costMicrocents);
      if (!this.#onlyThere.delete(order.orderId)) this.#onlyHere.set(order.orderId, order);
    }
    return orders.at(-1)?.createdAtMs ?? Number.NEGATIVE_INFINITY;
  }

  /** @param ours what we know under the same id. */
  addTheirs(theirs: SupplierOrder, ours: BoughtOrder | null): void {
    this.read.there += 1;
    const isOurs =
      ours !== null &&
      ours.supplierId === this.#supplierId &&
      ours.deliveredAtMs !== null &&
      ours.supplierOrderId === theirs.supplierOrderId;
    if (isOurs) this.#compare(theirs, ours, ours.deliveredAtMs);
    else this.#judgeForeign(theirs, ours);
  }

  conclude(): Reconciliation {
    for (const order of this.#onlyHere.values()) {
      this.#note("missing_there", order.orderId, order, null);
      this.#compareWithMaximum(order, null);
    }
    return {
      window: this.#window,
      here: this.#here,
      there: this.#there,
      counts: this.#counts,
      differences: this.#differences,
    };
  }

  #compare(theirs: SupplierOrder, ours: BoughtOrder, deliveredAtMs: number): void {
    if (!isWithin(this.#window, deliveredAtMs)) return;
    if (!this.#onlyHere.delete(ours.orderId)) this.#onlyThere.add(ours.orderId);
    if (theirs.status === "delivered") this.#there = addTo(this.#there, theirs.amountMicrocents);
    const costThere = theirs.status === "delivered" ? theirs.amountMicrocents : ZERO;
    if (theirs.status !== "delivered" && theirs.status !== "refunded") {
      this.#note("missing_there", ours.orderId, ours, theirs);
    } else if (costThere !== ours.costMicrocents) {
      this.#note("amount_differs", ours.orderId, ours, theirs);
    }
    this.#compareWithMaximum(ours, theirs);
  }

  #compareWithMaximum(ours: BoughtOrder, theirs: SupplierOrder | null): void {
    if (ours.costMicrocents > ours.maxCostMicrocents) this.#note("above_maximum", ours.orderId, ours, theirs);
  }

  /** An order there that is none of those which we have from there. */
  #judgeForeign(theirs: SupplierOrder, ours: BoughtOrder | null): void {
    const momentMs = ours?.deliveredAtMs ?? ours?.createdAtMs ?? theirs.createdAtMs;
    if (theirs.status !== "delivered" || !isWithin(this.#window, momentMs)) return;
    this.#there = addTo(this.#there, theirs.amountMicrocents);
    this.#note("missing_here", theirs.requestId, ours, theirs);
  }

  #note(
    kind: DifferenceKind,
    requestId: string,
    ours: BoughtOrder | null,
    theirs: SupplierOrder | null,
  ): void {
    this.#counts[kind] += 1;
    if (this.#differences.length === MAX_DIFFERENCES) return;
    const cost = ours?.deliveredAtMs == null ? null : ours.costMicrocents;
    const here = ours && {
      status: ours.status,
      costMicrocents: cost,
      maxCostMicrocents: ours.maxCostMicrocents,
    };
    this.#differences.push({ kind, requestId, here, there: theirs });
  }
}

/** Batches of our orders of the window, newest first. */
async function* readDelivered(database: Database, supplierId: string, window: TimeWindow) {
  for (let before: OrderId | null = null; ; ) {
    const batch: BoughtOrder[] = await findDelivered(database, supplierId, window, before, BATCH);
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    before = last.orderId;
  }
}

/** @param leastMs how long a full batch takes at least, with all that is done with it. */
async function* inBatches(orders: ReturnType<SupplierAdapter["history"]>, leastMs: number) {
  let batch: SupplierOrder[] = [];
  let begunMs = performance.now();
  for await (const order of orders) {
    batch.push(order);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
    await delay(Math.max(leastMs - (performance.now() - begunMs), 0));
    begunMs = performance.now();
  }
  if (batch.length > 0) yield batch;
}

function ourIdsIn(orders: readonly SupplierOrder[]): OrderId[] {
  return orders.flatMap(({ requestId }) => parseId("ord", requestId) ?? []);
}

function isWithin({ fromMs, toMs }: TimeWindow, momentMs: number): boolean {
  return momentMs >= fromMs && momentMs < toMs;
}

function addTo({ orders, costMicrocents }: Total, cost: Microcents): Total {
  return { orders: orders + 1, costMicrocents: add(costMicrocents, cost) };
}
