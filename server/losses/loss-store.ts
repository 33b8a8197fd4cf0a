import type { Session } from "../database/database.ts";
import type { AccountId, OrderId } from "../ids.ts";
import type { OrderStatus } from "../orders/order-status.ts";

/** An order that the database has. */
export interface OrderSince {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly productId: string;
  readonly qty: number;
  readonly status: OrderStatus;
  readonly createdAtMs: number;
}

/** How much there is of what may have changed in the lost time without a trace. */
export interface LastingCounts {
  readonly accounts: number;
  readonly activeKeys: number;
  readonly runningCalls: number;
}

// Each is found by an index, or in a small table; ids are in the order of their times, and a ledger entry's number is known.
const NEWEST = `SELECT MAX(at_ms) AS newest_ms FROM (
  (SELECT created_at_ms AS at_ms FROM orders ORDER BY order_id DESC LIMIT 1)
  UNION ALL (SELECT created_at_ms FROM calls ORDER BY call_id DESC LIMIT 1)
  UNION ALL (SELECT MAX(e.created_at_ms) FROM accounts a JOIN ledger_entries e
    ON e.account_id = a.account_id AND e.sequence = a.ledger_sequence)
  UNION ALL (SELECT MAX(created_at_ms) FROM accounts)
  UNION ALL (SELECT MAX(GREATEST(created_at_ms, COALESCE(revoked_at_ms, 0))) FROM api_keys)
  UNION ALL (SELECT MAX(created_at_ms) FROM stock_segments)
) moments`;

/** The moment of the newest row that the database has; null when it has none. */
export async function newestMoment(session: Session): Promise<number | null> {
  const [row] = await session.rows<{ newest_ms: bigint | null }>(NEWEST);
  return row === undefined || row.newest_ms === null ? null : Number(row.newest_ms);
}

/** Orders from stock that were placed since a moment, oldest first, and how many there are. */
export async function stockOrdersSince(
  session: Session,
  sinceMs: number,
  limit: number,
): Promise<{ orders: OrderSince[]; count: number }> {
  // An order's id begins with the milliseconds of its making, a moment before its row says.
  const from = `ord_${Math.max(sinceMs - 60_000, 0)
    .toString(16)
    .padStart(12, "0")}`;
  const some = `FROM orders o WHERE o.order_id >= ? AND o.created_at_ms >= ?
    AND EXISTS (SELECT 1 FROM order_code_ranges r WHERE r.order_id = o.order_id)`;
  const rows = await session.rows<Omit<OrderSince, "createdAtMs"> & { createdAtMs: bigint }>(
    `SELECT o.order_id AS orderId, o.account_id AS accountId, o.product_id AS productId, o.qty, o.status,
       o.created_at_ms AS createdAtMs ${some} ORDER BY o.order_id LIMIT ?`,
    [from, sinceMs, limit],
  );
  const [row] = await session.rows<{ count: bigint }>(`SELECT COUNT(*) AS count ${some}`, [from, sinceMs]);
  return {
    orders: rows.map((order) => ({ ...order, createdAtMs: Number(order.createdAtMs) })),
    count: Number(row?.count ?? 0n),
  };
}

/** How many accounts, usable keys and running calls there are. */
export async function countLasting(session: Session): Promise<LastingCounts> {
  const [row] = await session.rows<{ accounts: bigint; keys_active: bigint; calls_running: bigint }>(
    `SELECT (SELECT COUNT(*) FROM accounts) AS accounts,
       (SELECT COUNT(*) FROM api_keys WHERE status = 'active') AS keys_active,
       (SELECT COUNT(*) FROM calls WHERE lease_expires_at_ms >= 0) AS calls_running`,
  );
  return {
    accounts: Number(row?.accounts ?? 0n),
    activeKeys: Number(row?.keys_active ?? 0n),
    runningCalls: Number(row?.calls_running ?? 0n),
  };
}
