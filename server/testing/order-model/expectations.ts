import type { OrderStatus } from "../../orders/order-status.ts";
import { concurrentWith, type PreparedAction } from "./actions.ts";
import {
  judgeNew,
  judgePost,
  judgeResumption,
  type Outcome,
  type SeenOrder,
  type ShopModel,
  SUPPLIER_ERRORS,
} from "./shop-model.ts";

/** What is known before a step about how one of its actions may end. */
export interface Expected {
  readonly action: PreparedAction;
  readonly outcomes: ReadonlySet<Outcome>;
  /** How it may end when the machine was so slow that the service has given its supplier up. */
  readonly whenSlow: ReadonlySet<Outcome>;
  /** Whether one of the answers must be the codes. */
  readonly certain: boolean;
}

/** @param faulty whether the supplier has faults. */
export function expectPrepared(
  model: ShopModel,
  actions: readonly PreparedAction[],
  action: PreparedAction,
  faulty: boolean,
): Expected {
  switch (action.do) {
    case "post":
      return expectPost(model, actions, action, faulty);
    case "refund":
      return certainly(action, refundOutcomes(model, actions, action.order));
    case "top-up":
      return certainly(action, [action.known ? "repeated" : "credited"]);
    case "sweep":
      return certainly(action, ["swept"]);
    case "price":
      return certainly(action, ["set"]);
  }
}

function expectPost(
  model: ShopModel,
  actions: readonly PreparedAction[],
  action: Extract<PreparedAction, { do: "post" }>,
  faulty: boolean,
): Expected {
  const concurrent = concurrentWith(model, actions, action);
  const { outcomes, reached } = judgePost(model, action.sent, concurrent);
  const entangled = isEntangled(model, actions, action);
  const allowed = new Set(outcomes);
  const certain = outcomes.size === 1 && outcomes.has("bought") && !entangled;
  const isConcurrent = actions.length > 1 || action.times > 1;
  // Others may be faster with the same order, or stand in the way again and again.
  if (isConcurrent) allowed.add("order_in_progress");
  if (action.times > 1 && outcomes.has("bought")) allowed.add("replayed");
  if (entangled) addAll(allowed, ["bought", "replayed", ...SUPPLIER_ERRORS]);
  // Another action may have claimed the order and ended it without a purchase.
  const isProcessing = model.orders.get(action.sent.externalOrderId)?.status === "processing";
  if (isConcurrent && isProcessing) addAll(allowed, judgeNew(model, action.sent, concurrent).outcomes);
  const whenSlow = new Set(allowed);
  if (reached) {
    addAll(whenSlow, ["bought", ...SUPPLIER_ERRORS]);
    if (action.times > 1) whenSlow.add("replayed");
  }
  const troubled = reached && (faulty || model.supplier.effectsPending());
  return { action, outcomes: troubled ? whenSlow : allowed, whenSlow, certain: certain && !troubled };
}

/** Whether another action has to do with the same order. */
function isEntangled(
  { orders }: ShopModel,
  actions: readonly PreparedAction[],
  action: Extract<PreparedAction, { do: "post" }>,
): boolean {
  const { externalOrderId } = action.sent;
  return actions.some(
    (other) =>
      other !== action &&
      ((other.do === "post" && other.sent.externalOrderId === externalOrderId) ||
        (other.do === "refund" && other.order.externalOrderId === externalOrderId) ||
        (other.do === "sweep" && isOpen(orders.get(externalOrderId)))),
  );
}

function isOpen(order: SeenOrder | undefined): boolean {
  return order?.status === "processing" || order?.status === "retryable";
}

function refundOutcomes(
  model: ShopModel,
  actions: readonly PreparedAction[],
  { externalOrderId }: SeenOrder,
): Outcome[] {
  const status = model.orders.get(externalOrderId)?.status;
  if (actions.length > 1 && status !== "failed") return ["refunded", "repeated", "conflict"];
  if (status === "delivered") return ["refunded"];
  return [status === "refunded" ? "repeated" : "conflict"];
}

function certainly(action: PreparedAction, outcomes: readonly Outcome[]): Expected {
  return { action, outcomes: new Set(outcomes), whenSlow: new Set(outcomes), certain: false };
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
