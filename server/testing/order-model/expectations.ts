import type { OrderStatus } from "../../orders/order-states.ts";
import { companyOf, type Deed } from "./actions.ts";
import {
  judgeNew,
  judgePost,
  judgeResumption,
  type Outcome,
  type SeenOrder,
  type ShopModel,
  SUPPLIER_TROUBLE,
} from "./shop-model.ts";

/** What is known before a step about how one of its deeds may end. */
export interface Expected {
  readonly deed: Deed;
  readonly outcomes: ReadonlySet<Outcome>;
  /** How it may end when the machine was so slow that the service has given its supplier up. */
  readonly whenSlow: ReadonlySet<Outcome>;
  /** Whether one of the answers must be the codes. */
  readonly certain: boolean;
}

/** @param faulty whether the supplier has faults. */
export function expectDeed(model: ShopModel, deeds: readonly Deed[], deed: Deed, faulty: boolean): Expected {
  switch (deed.do) {
    case "post":
      return expectPost(model, deeds, deed, faulty);
    case "refund":
      return certainly(deed, refundOutcomes(model, deeds, deed.order));
    case "top-up":
      return certainly(deed, [deed.known ? "repeated" : "credited"]);
    case "sweep":
      return certainly(deed, ["swept"]);
    case "price":
      return certainly(deed, ["set"]);
  }
}

function expectPost(
  model: ShopModel,
  deeds: readonly Deed[],
  deed: Extract<Deed, { do: "post" }>,
  faulty: boolean,
): Expected {
  const company = companyOf(model, deeds, deed);
  const { outcomes, reached } = judgePost(model, deed.sent, company);
  const entangled = isEntangled(model, deeds, deed);
  const allowed = new Set(outcomes);
  const certain = outcomes.size === 1 && outcomes.has("bought") && !entangled;
  const inCompany = deeds.length > 1 || deed.times > 1;
  // Others may be faster with the same order, or stand in the way again and again.
  if (inCompany) allowed.add("order_in_progress");
  if (deed.times > 1 && outcomes.has("bought")) allowed.add("replayed");
  if (entangled) addAll(allowed, ["bought", "replayed", ...SUPPLIER_TROUBLE]);
  // Another action may have claimed the order and ended it without a purchase.
  const isProcessing = model.orders.get(deed.sent.externalOrderId)?.status === "processing";
  if (inCompany && isProcessing) addAll(allowed, judgeNew(model, deed.sent, company).outcomes);
  const whenSlow = new Set(allowed);
  if (reached) {
    addAll(whenSlow, ["bought", ...SUPPLIER_TROUBLE]);
    if (deed.times > 1) whenSlow.add("replayed");
  }
  const troubled = reached && (faulty || model.supplier.effectsPending());
  return { deed, outcomes: troubled ? whenSlow : allowed, whenSlow, certain: certain && !troubled };
}

/** Whether another deed has to do with the same order. */
function isEntangled(
  { orders }: ShopModel,
  deeds: readonly Deed[],
  deed: Extract<Deed, { do: "post" }>,
): boolean {
  const { externalOrderId } = deed.sent;
  return deeds.some(
    (other) =>
      other !== deed &&
      ((other.do === "post" && other.sent.externalOrderId === externalOrderId) ||
        (other.do === "refund" && other.order.externalOrderId === externalOrderId) ||
        (other.do === "sweep" && isOpen(orders.get(externalOrderId)))),
  );
}

function isOpen(order: SeenOrder | undefined): boolean {
  return order?.status === "processing" || order?.status === "retryable";
}

function refundOutcomes(model: ShopModel, deeds: readonly Deed[], { externalOrderId }: SeenOrder): Outcome[] {
  const status = model.orders.get(externalOrderId)?.status;
  if (deeds.length > 1 && status !== "failed") return ["refunded", "repeated", "conflict"];
  if (status === "delivered") return ["refunded"];
  return [status === "refunded" ? "repeated" : "conflict"];
}

function certainly(deed: Deed, outcomes: readonly Outcome[]): Expected {
  return { deed, outcomes: new Set(outcomes), whenSlow: new Set(outcomes), certain: false };
}

/** Which states each order may have after a sweep that nothing comes in the way of. */
export function expectSweep(model: ShopModel): ReadonlyMap<string, ReadonlySet<OrderStatus>> | null {
  const { orders, supplier, nowMs } = model;
  if (supplier.effectsPending()) return null;
  const due = [...orders.values()].filter(({ dueAtMs }) => dueAtMs !== null && dueAtMs <= nowMs());
  const takenUp = due.filter(({ status }) => status === "processing");
  return new Map(
    due.map((order) => {
      if (order.status === "retryable") return [order.externalOrderId, new Set(["failed"])];
      const others = takenUp.filter((other) => other !== order);
      const takenCodes = { "on-demand": others.reduce((sum, { qty }) => sum + qty, 0), stocked: 0 };
      const outcomes = judgeResumption(model, order, takenCodes);
      return [order.externalOrderId, new Set([...outcomes].flatMap(statusesAfterResumption))];
    }),
  );
}

function statusesAfterResumption(outcome: Outcome): OrderStatus[] {
  switch (outcome) {
    case "bought":
      return ["delivered"];
    case "supplier_unavailable":
      return ["processing", "retryable"];
    case "idempotency_conflict":
      return ["failed"];
    default:
      return ["retryable"];
  }
}

function addAll<T>(set: Set<T>, items: Iterable<T>): void {
  for (const item of items) set.add(item);
}
