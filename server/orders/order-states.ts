import { type Parameter, placeholders } from "../database/database.ts";
import type { Fragment } from "../database/many-rows.ts";
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

/** Another transaction has moved an order; the one that found this must be undone. */
export class OrderMovedError extends Error {
  constructor(orderIds: readonly OrderId[], from: OrderStatus, to: OrderStatus) {
    super(`Not every order of ${orderIds.join(", ")} is ${from} any more; they cannot become ${to}.`);
    this.name = "OrderMovedError";
  }
}

/**
 * Moves orders, and takes their rows' locks. The statement names the state that it leaves, so that of two that move the
 * same order only one succeeds.
 * @param columns what changes in the orders' rows together with their state.
 * @throws {OrderMovedError} one of them is in another state.
 */
export async function moveOrders<From extends OrderStatus>(
  tx: Transaction,
  orderIds: readonly OrderId[],
  from: From,
  to: NextStatus<From>,
  columns: Readonly<Record<string, Parameter | Fragment>> = {},
): Promise<void> {
  const assignments = Object.entries({ status: to, ...columns }).map(([column, value]) => {
    const { sql, values } = isFragment(value) ? value : { sql: "?", values: [value] };
    return { sql: `${column} = ${sql}`, values };
  });
  const changed = await tx.change(
    `UPDATE orders SET ${assignments.map(({ sql }) => sql).join(", ")}
     WHERE order_id IN (${placeholders(orderIds)}) AND status = ?`,
    [...assignments.flatMap(({ values }) => values), ...orderIds, from],
  );
  if (changed !== orderIds.length) throw new OrderMovedError(orderIds, from, to);
}

function isFragment(value: Parameter | Fragment): value is Fragment {
  return typeof value === "object" && value !== null && "sql" in value;
}
