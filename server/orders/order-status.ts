import type { OrderId } from "../ids.ts";

/**
 * The transitions of an order, from each status to those that may follow. An order begins as `processing` when its codes are
 * bought on demand, and as `delivered` when they come from stock. What a status means stands in the contract
 * (spec/ordering/schemas/OrderStatus.yaml).
 */
export const TRANSITIONS = {
  processing: ["delivered", "retryable", "failed"],
  retryable: ["processing", "failed"],
  delivered: ["refunded"],
  failed: [],
  refunded: [],
} as const;

export type OrderStatus = keyof typeof TRANSITIONS;

/** A status that an order of the status `From` may be given. */
export type AllowedStatus<From extends OrderStatus> = (typeof TRANSITIONS)[From][number];

export const ORDER_STATUSES = Object.keys(TRANSITIONS) as readonly OrderStatus[];

/** Another transaction has moved an order; the one that found this must be undone. */
export class StatusConflictError extends Error {
  constructor(orderIds: readonly OrderId[], from: OrderStatus, to: OrderStatus) {
    super(`Not every order of ${orderIds.join(", ")} is ${from} any more; they cannot become ${to}.`);
    this.name = "StatusConflictError";
  }
}
