import type { Parameter } from "../database/database.ts";
import type { Transaction } from "../database/transaction.ts";
import type { OrderId } from "../ids.ts";

/**
 * The moves of an order, from each state to those it may go to. An order begins as `processing` when its codes are
 * bought on demand, and as `delivered` when they come from stock. What a state means stands in the contract
 * (spec/ordering/schemas/OrderStatus.yaml).
 */
const MOVES = {
  processing: ["delivered", "retryable", "failed"],
  retryable: ["processing", "failed"],
  delivered: ["refunded"],
  failed: [],
  refunded: [],
} as const;

export type OrderStatus = keyof typeof MOVES;

/** A state that an order in the state `From` may go to. */
export type NextStatus<From extends OrderStatus> = (typeof MOVES)[From][number];

export const ORDER_STATUSES = Object.keys(MOVES) as readonly OrderStatus[];

/** Another transaction has moved the order; the one that found this must be undone. */
export class OrderMovedError extends Error {
  constructor(orderId: OrderId, from: OrderStatus, to: OrderStatus) {
    super(`Order ${orderId} is not ${from} any more and cannot become ${to}.`);
    this.name = "OrderMovedError";
  }
}

/**
 * Moves an order, and takes its row's lock. The statement names the state that it leaves, so that of two that move the
 * same order only one succeeds.
 * @param columns what changes in the order's row together with its state.
 * @throws {OrderMovedError} the order is in another state.
 */
export async function moveOrder<From extends OrderStatus>(
  tx: Transaction,
  orderId: OrderId,
  from: From,
  to: NextStatus<From>,
  columns: Readonly<Record<string, Parameter>> = {},
): Promise<void> {
  const assignments = ["status", ...Object.keys(columns)].map((column) => `${column} = ?`).join(", ");
  const sql = `UPDATE orders SET ${assignments} WHERE order_id = ? AND status = ?`;
  const changed = await tx.change(sql, [to, ...Object.values(columns), orderId, from]);
  if (changed !== 1) throw new OrderMovedError(orderId, from, to);
}
