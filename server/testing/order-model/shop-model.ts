import { utcDay } from "../../clock.ts";
import type { OrderId } from "../../ids.ts";
import type { KeyCaps } from "../../keys/api-key.ts";
import { type Microcents, microcents, multiply, ZERO } from "../../money/microcents.ts";
import type { OrderStatus } from "../../orders/order-status.ts";

/** The two products of a run: one bought from a supplier when ordered, one sold from imported codes. */
export const PRODUCT_KINDS = ["on-demand", "stocked"] as const;
export type ProductKind = (typeof PRODUCT_KINDS)[number];

/** How long a process may work on an order, on the run's own clock. */
export const LEASE_MS = 60_000;
/** How long a retryable order waits to be sent again. */
export const RETRYABLE_MS = 24 * 60 * 60 * 1_000;
/** Longer than any pause before an order is looked at again. */
export const MAX_PAUSE_MS = 400_000;
/** After that many attempts that have left their result in doubt, the supplier is only asked what has become of them. */
const ATTEMPTS_BEFORE_LOOK_UP = 3;
/** The most that the shop pays for a code, and no less than a hundredth of it, in whole cents. */
export const MAX_COST = "0.80";

/** A purchase that a buyer has asked for; repeating it means sending this again. */
export interface RequestedOrder {
  readonly externalOrderId: string;
  readonly kind: ProductKind;
  readonly qty: number;
}

/** An order as it was last seen. */
export interface SeenOrder extends RequestedOrder {
  readonly orderId: OrderId;
  readonly status: OrderStatus;
  readonly unitPriceMicrocents: Microcents;
  readonly amountMicrocents: Microcents;
  readonly errorCode: string | null;
  readonly spendDay: string;
  readonly createdAtMs: number;
  readonly deliveredAtMs: number | null;
  readonly refundedAtMs: number | null;
  /** Null for an order that is not delivered. */
  readonly codes: readonly string[] | null;
  /** Until when a process works on it, or has died working on it; null for none. */
  readonly leasedUntilMs: number | null;
  /** When recovery has to look at it again; null for never. */
  readonly dueAtMs: number | null;
  /** How often it was tried to buy its codes since it was accepted; 0 for an order that is not processing. */
  readonly attempts: number;
}

/** What the supplier knows of one of our orders. */
export interface SuppliersOrder {
  readonly status: OrderStatus | "none";
  readonly qty: number;
}

/** How the supplier is at a moment. */
export interface SupplierModel {
  up: boolean;
  /** Whether the operator lets the shop buy from it. */
  enabled: boolean;
  /** What it asks for a code. */
  cost: string;
  /** How many codes it has left; null: endless. */
  codesLeft(): number | null;
  orderOf(orderId: OrderId): SuppliersOrder | null;
  /** Whether something that was asked of it may take effect only now. */
  effectsPending(): boolean;
}

/** The whole model of a shop with one account and one key: what a buyer, the operator and the supplier have done. */
export interface ShopModel {
  readonly nowMs: () => number;
  readonly supplier: SupplierModel;
  readonly prices: Record<ProductKind, Microcents>;
  readonly importedCodes: ReadonlySet<string>;
  caps: KeyCaps;
  readonly topUps: Map<string, Microcents>;
  /** Every purchase that was ever asked for, whether or not there is an order. */
  readonly requestedOrders: RequestedOrder[];
  orders: ReadonlyMap<string, SeenOrder>;
}

/** A requested order as it is sent once. */
export interface Sent extends RequestedOrder {
  /** What the buyer expects to pay for one code; null for whatever it is. */
  readonly expectedUnitPriceMicrocents: Microcents | null;
}

/** What else may be under way while something is sent. */
export interface ConcurrentActions {
  /** What others may take before: money, and codes of each product. */
  readonly takenMicrocents: Microcents;
  readonly takenCodes: Readonly<Record<ProductKind, number>>;
  /** What others may give back before. */
  readonly returnedMicrocents: Microcents;
  /** Prices that may hold besides the present ones. */
  readonly otherPrices: Partial<Record<ProductKind, Microcents>>;
}

export const NO_CONCURRENT_ACTIONS: ConcurrentActions = {
  takenMicrocents: ZERO,
  takenCodes: { "on-demand": 0, stocked: 0 },
  returnedMicrocents: ZERO,
  otherPrices: {},
};

/** How a post can end: codes bought now, codes given again, or an error's code. */
export type Outcome = string;

/** What a supplier in trouble can make of a post. */
export const SUPPLIER_ERRORS: readonly Outcome[] = [
  "supplier_unavailable",
  "out_of_stock",
  "supplier_price_changed",
  "supplier_not_configured",
  "idempotency_conflict",
];

/** `reached` tells whether the supplier has a say in it, so that its faults show. */
export interface Judgement {
  readonly outcomes: ReadonlySet<Outcome>;
  readonly reached: boolean;
}

/** The money on the account: everything topped up, less every order that is charged. */
export function balanceOf({ topUps, orders }: Pick<ShopModel, "topUps" | "orders">): Microcents {
  const credited = sum([...topUps.values()]);
  const charged = sum(amountsOf(orders, ({ status }) => status === "delivered"));
  return microcents(credited - charged);
}

/** What is set aside: the amounts of the orders that are processing. */
export function reservedOf({ orders }: Pick<ShopModel, "orders">): Microcents {
  return sum(amountsOf(orders, ({ status }) => status === "processing"));
}

/** What the key has spent on a day: orders of that day that are charged or processing, or were refunded on a later day. */
export function spentOn({ orders }: Pick<ShopModel, "orders">, day: string): Microcents {
  const counts = ({ status, spendDay, refundedAtMs }: SeenOrder) =>
    spendDay === day &&
    (status === "delivered" ||
      status === "processing" ||
      (refundedAtMs !== null && utcDay(refundedAtMs) !== day));
  return sum(amountsOf(orders, counts));
}

/** How many imported codes are left. */
export function stockLeft({ importedCodes, orders }: Pick<ShopModel, "importedCodes" | "orders">): number {
  const sold = [...orders.values()].filter(({ kind }) => kind === "stocked");
  return importedCodes.size - sold.reduce((total, { qty }) => total + qty, 0);
}

/** How a post that is sent now may end, when nothing goes wrong at the supplier but what the model knows of. */
export function judgePost(
  model: ShopModel,
  sent: Sent,
  concurrent: ConcurrentActions = NO_CONCURRENT_ACTIONS,
): Judgement {
  const known = model.orders.get(sent.externalOrderId);
  if (known !== undefined) {
    if (known.kind !== sent.kind || known.qty !== sent.qty) return certainly("idempotency_conflict");
    if (known.status === "delivered") return certainly("replayed");
    if (known.status === "failed" || known.status === "refunded") return certainly("idempotency_conflict");
    if (known.status === "processing") {
      const { leasedUntilMs } = known;
      if (leasedUntilMs !== null && leasedUntilMs > model.nowMs()) return certainly("order_in_progress");
      return { outcomes: judgeResumption(model, known, concurrent.takenCodes), reached: true };
    }
  }
  return judgeNew(model, sent, concurrent);
}

/** The same for a post whose order is yet to be made, or has ended without a purchase. */
export function judgeNew(
  model: ShopModel,
  sent: Sent,
  concurrent: ConcurrentActions = NO_CONCURRENT_ACTIONS,
): Judgement {
  const prices = [model.prices[sent.kind], concurrent.otherPrices[sent.kind] ?? model.prices[sent.kind]];
  const judged = prices.map((price) => judgeAtPrice(model, sent, price, concurrent));
  return {
    outcomes: new Set(judged.flatMap(({ outcomes }) => [...outcomes])),
    reached: judged.some(({ reached }) => reached),
  };
}

function judgeAtPrice(
  model: ShopModel,
  sent: Sent,
  price: Microcents,
  concurrent: ConcurrentActions,
): Judgement {
  const { expectedUnitPriceMicrocents: expected, kind, qty } = sent;
  if (expected !== null && expected !== price) return certainly("price_changed");
  const amount = multiply(price, qty);
  const { orderCapMicrocents } = model.caps;
  if (orderCapMicrocents !== null && amount > orderCapMicrocents)
    return certainly("key_order_limit_exceeded");

  const inTheWorstCase = moneyRefusals(model, amount, concurrent.takenMicrocents);
  const inTheBestCase = moneyRefusals(model, amount, microcents(-concurrent.returnedMicrocents));
  if (kind === "stocked") {
    if (stockLeft(model) < qty) return certainly("out_of_stock");
    const outcomes = new Set<Outcome>(inTheWorstCase);
    if (inTheBestCase.length === 0) outcomes.add("bought");
    if (stockLeft(model) - concurrent.takenCodes.stocked < qty) outcomes.add("out_of_stock");
    return { outcomes, reached: false };
  }
  const { worst, best } = supplierRefusals(model, qty, concurrent.takenCodes["on-demand"]);
  const outcomes = new Set<Outcome>([...worst, ...inTheWorstCase]);
  // What the account cannot pay is a look at the supplier, and looks wait when it has asked for that.
  if (inTheWorstCase.length > 0) outcomes.add("supplier_unavailable");
  if (inTheBestCase.length === 0 && best.length === 0) outcomes.add("bought");
  return { outcomes, reached: true };
}

/** Which of the checks that come last stand against an amount; only the first one speaks. */
function moneyRefusals(model: ShopModel, amount: Microcents, taken: Microcents): Outcome[] {
  const spent = spentOn(model, utcDay(model.nowMs()));
  const cap = model.caps.dailyCapMicrocents;
  const available = balanceOf(model) - reservedOf(model) - taken;
  const refusals: Outcome[] = [];
  if (cap !== null && spent + taken + amount > cap) refusals.push("key_daily_limit_exceeded");
  if (available < amount) refusals.push("insufficient_balance");
  // With no other action under way it is certain which of the two comes first.
  return taken > 0n ? refusals : refusals.slice(0, 1);
}

/** What the supplier has against a new purchase; `best` when others take nothing from it. */
function supplierRefusals({ supplier }: ShopModel, qty: number, taken: number) {
  if (!supplier.enabled) {
    // What was begun with a quote from before still asks the supplier whether it knows of it.
    const refusals = supplier.up
      ? ["supplier_not_configured"]
      : ["supplier_not_configured", "supplier_unavailable"];
    return { best: refusals, worst: refusals };
  }
  if (!supplier.up) return { best: ["supplier_unavailable"], worst: ["supplier_unavailable"] };
  if (!isAcceptable(supplier.cost))
    return { best: ["supplier_price_changed"], worst: ["supplier_price_changed"] };
  const left = supplier.codesLeft() ?? Number.POSITIVE_INFINITY;
  return {
    best: left < qty ? ["out_of_stock"] : [],
    worst: left - taken < qty ? ["out_of_stock"] : [],
  };
}

/** How taking up an order that is processing, and that no process works on, may end. */
export function judgeResumption(
  model: ShopModel,
  order: SeenOrder,
  takenCodes: ConcurrentActions["takenCodes"] = NO_CONCURRENT_ACTIONS.takenCodes,
): ReadonlySet<Outcome> {
  const { supplier } = model;
  if (!supplier.up) return new Set(["supplier_unavailable"]);
  const theirs = supplier.orderOf(order.orderId)?.status ?? "none";
  switch (theirs) {
    case "delivered":
      return new Set(["bought"]);
    case "failed":
    case "refunded":
      return new Set(["idempotency_conflict"]);
    case "processing":
      return new Set(["supplier_unavailable", "bought", "idempotency_conflict"]);
  }
  const { worst, best } = supplierRefusals(model, order.qty, takenCodes["on-demand"]);
  if (supplier.enabled && order.attempts >= ATTEMPTS_BEFORE_LOOK_UP) return new Set(["supplier_unavailable"]);
  // Whether an earlier request can still arrive is for the next observations to tell.
  const outcomes = new Set<Outcome>(worst.length > 0 ? [...worst, "supplier_unavailable"] : []);
  if (best.length === 0) outcomes.add("bought");
  return outcomes;
}

/** Whether the shop buys at that cost. */
export function isAcceptable(cost: string): boolean {
  return ACCEPTABLE_COSTS.has(cost);
}

/** What the supplier may ask in a run: costs that the shop agrees to, and others. */
export const ACCEPTABLE_COSTS: ReadonlySet<string> = new Set(["0.50", "0.40", "0.01", MAX_COST]);
export const OTHER_COSTS = ["0.81", "5.00", "0.00", "0.0050", "0.505"] as const;

function certainly(outcome: Outcome): Judgement {
  return { outcomes: new Set([outcome]), reached: false };
}

function amountsOf(
  orders: ReadonlyMap<string, SeenOrder>,
  counts: (order: SeenOrder) => boolean,
): Microcents[] {
  return [...orders.values()].filter(counts).map(({ amountMicrocents }) => amountMicrocents);
}

function sum(amounts: readonly Microcents[]): Microcents {
  return microcents(amounts.reduce((total, amount) => total + amount, 0n));
}
