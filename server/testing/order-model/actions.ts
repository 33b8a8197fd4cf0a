import { setTimeout as delay } from "node:timers/promises";
import type { Services } from "../../compose.ts";
import { DomainError } from "../../errors.ts";
import {
  add,
  formatDecimalMoney,
  type Microcents,
  microcents,
  multiply,
  ZERO,
} from "../../money/microcents.ts";
import type { OrderWithCodes } from "../../orders/order.ts";
import { usd } from "../test-shop.ts";
import { orderRequest, type Run } from "./run.ts";
import {
  type ConcurrentActions,
  type Outcome,
  type ProductKind,
  type RequestedOrder,
  reservedOf,
  type SeenOrder,
  type Sent,
  type ShopModel,
} from "./shop-model.ts";

/**
 * What a post is about: a new id; one that was posted before, also when its order is closed (`repeat`) or if possible
 * when it is not (`again`); or one that was posted before with another quantity or product.
 */
export type Target =
  | { readonly fresh: ProductKind; readonly qty: number }
  | { readonly again: number }
  | { readonly repeat: number }
  | { readonly clash: number; readonly with: "other qty" | "other product" };

/** Something that a buyer or the operator asks of the shop. Numbers choose among what there is when its turn comes. */
export type Action =
  | {
      readonly do: "post";
      readonly target: Target;
      readonly expecting: "any price" | "the price" | "a wrong price";
      /** How often it is sent. */
      readonly times: number;
    }
  | { readonly do: "refund"; readonly which: number }
  | { readonly do: "top-up"; readonly amount: string; readonly repeated: boolean }
  | { readonly do: "sweep" }
  | { readonly do: "price"; readonly kind: ProductKind; readonly price: string };

/** An action as it is done in a run. */
export type PreparedAction =
  | { readonly do: "post"; readonly sent: Sent; readonly times: number }
  | { readonly do: "refund"; readonly order: SeenOrder }
  | {
      readonly do: "top-up";
      readonly reference: string;
      readonly amount: Microcents;
      readonly known: boolean;
    }
  | { readonly do: "sweep" }
  | { readonly do: "price"; readonly kind: ProductKind; readonly price: Microcents };

/** How an action ended. */
export interface Answer {
  readonly outcome: Outcome;
  readonly order?: OrderWithCodes;
  readonly error?: unknown;
}

const CENT = usd("0.01");

/** Whether there is something to do it to. */
export function canDo(action: Action, { requestedOrders, orders }: ShopModel): boolean {
  if (action.do === "refund") return orders.size > 0;
  return action.do !== "post" || "fresh" in action.target || requestedOrders.length > 0;
}

/** Chooses what an action is done to. `name` is its own among all actions of the run. */
export function prepare({ model }: Run, action: Action, name: string): PreparedAction {
  switch (action.do) {
    case "post":
      return { do: "post", sent: toSent(model, action.target, action.expecting), times: action.times };
    case "refund":
      return { do: "refund", order: pick([...model.orders.values()], action.which) };
    case "top-up": {
      const last = [...model.topUps].at(-1);
      if (action.repeated && last !== undefined) {
        return { do: "top-up", reference: last[0], amount: last[1], known: true };
      }
      return { do: "top-up", reference: name, amount: usd(action.amount), known: false };
    }
    case "sweep":
      return { do: "sweep" };
    case "price":
      return { do: "price", kind: action.kind, price: usd(action.price) };
  }
}

function toSent(model: ShopModel, target: Target, expecting: string): Sent {
  const requested = toRequestedOrder(model, target);
  const price = model.prices[requested.kind];
  const expected = { "any price": null, "the price": price, "a wrong price": add(price, CENT) }[expecting];
  return { ...requested, expectedUnitPriceMicrocents: expected ?? null };
}

function toRequestedOrder(model: ShopModel, target: Target): RequestedOrder {
  if ("fresh" in target) {
    const requested = {
      externalOrderId: `o${model.requestedOrders.length + 1}`,
      kind: target.fresh,
      qty: target.qty,
    };
    model.requestedOrders.push(requested);
    return requested;
  }
  if ("repeat" in target) return pick(model.requestedOrders, target.repeat);
  if ("again" in target) {
    const unfinished = model.requestedOrders.filter((requested) =>
      isUnfinished(model.orders.get(requested.externalOrderId)),
    );
    return pick(unfinished.length > 0 ? unfinished : model.requestedOrders, target.again);
  }
  const requested = pick(model.requestedOrders, target.clash);
  if (target.with === "other qty") return { ...requested, qty: requested.qty + 1 };
  return { ...requested, kind: requested.kind === "stocked" ? "on-demand" : "stocked" };
}

function isUnfinished(order: SeenOrder | undefined): boolean {
  return order === undefined || order.status === "processing" || order.status === "retryable";
}

// The latest first, so that small numbers mean what was just done.
function pick<T>(items: readonly T[], which: number): T {
  const item = items[items.length - 1 - (which % items.length)];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}

/**
 * Does it, on one of the processes. A post that is sent several times, that many milliseconds apart, has as many
 * answers.
 */
export async function perform(
  run: Run,
  action: PreparedAction,
  services: Services,
  apartMs = 0,
): Promise<Answer[]> {
  switch (action.do) {
    case "post":
      return Promise.all(
        Array.from({ length: action.times }, (_, index) =>
          answerOf(async () => {
            if (apartMs > 0) await delay(index * apartMs);
            const { order, reused } = await services.orders.place(orderRequest(run, action.sent));
            return { outcome: reused ? "replayed" : "bought", order };
          }),
        ),
      );
    case "refund":
      return [
        await answerOf(async () => {
          const { repeated } = await services.orderAdministration.refund(action.order.orderId, "not wanted");
          return { outcome: repeated ? "repeated" : "refunded" };
        }),
      ];
    case "top-up":
      return [
        await answerOf(async () => {
          const { reference, amount: amountMicrocents } = action;
          const booked = await services.ledger.topUp({
            accountId: run.accountId,
            reference,
            amountMicrocents,
          });
          return { outcome: booked.repeated ? "repeated" : "credited" };
        }),
      ];
    case "sweep":
      // A loop that is stopped at once looks for due orders one time and brings them to an end.
      await services.orders.startRecovery({ intervalMs: 60_000, concurrency: 100 }).stop();
      return [{ outcome: "swept" }];
    case "price":
      return [
        await answerOf(async () => {
          const { kind, price } = action;
          await services.products.setPrices(run.productIds[kind], {
            1: price,
            2: price,
            3: price,
            4: price,
            5: price,
          });
          return { outcome: "set" };
        }),
      ];
  }
}

/** An unexpected error of the shop: its buyer gets a 500. */
export const BROKEN: Outcome = "broken";

async function answerOf(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    return { outcome: error instanceof DomainError ? error.code : BROKEN, error };
  }
}

/** What the other actions of a step may do to the outcome of one of them. */
export function concurrentWith(
  model: ShopModel,
  actions: readonly PreparedAction[],
  one: PreparedAction,
): ConcurrentActions {
  const others = actions.filter((action) => action !== one);
  const priceSet = others.filter((action) => action.do === "price");
  const takenCodes = { "on-demand": 0, stocked: 0 };
  let taken = ZERO;
  let returned = ZERO;
  const mayRelease = others.some((action) => action.do === "sweep" || action.do === "post");
  if (mayRelease) returned = reservedOf(model);
  for (const action of others) {
    if (action.do === "post") {
      const { kind, qty } = action.sent;
      const prices = [
        model.prices[kind],
        ...priceSet.filter((set) => set.kind === kind).map(({ price }) => price),
      ];
      taken = add(taken, multiply(prices.reduce(larger), qty));
      takenCodes[kind] += qty;
    }
    if (action.do === "sweep") takenCodes["on-demand"] += openQty(model);
    if (action.do === "refund") returned = add(returned, action.order.amountMicrocents);
    if (action.do === "top-up" && !action.known) returned = add(returned, action.amount);
  }
  return {
    takenMicrocents: taken,
    takenCodes,
    returnedMicrocents: returned,
    otherPrices: Object.fromEntries(priceSet.map(({ kind, price }) => [kind, price])),
  };
}

function openQty({ orders }: ShopModel): number {
  return [...orders.values()]
    .filter(({ status }) => status === "processing")
    .reduce((sum, { qty }) => sum + qty, 0);
}

function larger(a: Microcents, b: Microcents): Microcents {
  return a > b ? a : b;
}

/** An action in words, for a counterexample. */
export function describeAction(action: Action): string {
  if (action.do !== "post") return Object.values(action).join(" ");
  const { target, expecting, times } = action;
  const howOften = times > 1 ? ` ${times} times` : "";
  return `post${howOften} ${describeTarget(target)}${expecting === "any price" ? "" : ` at ${expecting}`}`;
}

/** A target in words; #0 is the last. */
export function describeTarget(target: Target): string {
  if ("fresh" in target) return `new ${target.qty} ${target.fresh}`;
  if ("again" in target) return `again #${target.again}`;
  if ("repeat" in target) return `repeat #${target.repeat}`;
  return `#${target.clash} with ${target.with}`;
}

/** What was done, in words, for the history of a run. */
export function describePrepared(action: PreparedAction): string {
  switch (action.do) {
    case "post": {
      const { externalOrderId, kind, qty, expectedUnitPriceMicrocents: expected } = action.sent;
      const price = expected === null ? "" : ` at ${formatDecimalMoney(expected)}`;
      return `post ${externalOrderId} (${qty} ${kind}${price})${action.times > 1 ? ` ${action.times} times` : ""}`;
    }
    case "refund":
      return `refund ${action.order.externalOrderId}`;
    case "top-up":
      return `top up ${formatDecimalMoney(action.amount)}${action.known ? " again" : ""}`;
    case "sweep":
      return "sweep";
    case "price":
      return `price of ${action.kind} to ${formatDecimalMoney(microcents(action.price))}`;
  }
}
