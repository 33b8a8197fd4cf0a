import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { placeholders, type Session } from "../database/database.ts";
import type { OrderId } from "../ids.ts";
import { type Microcents, microcents } from "../money/microcents.ts";
import type { OrderStatus } from "./order-status.ts";

/** A span of time, `[fromMs, toMs)`. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What was bought for an order, as far as a supplier's list can be compared with it. */
export interface BoughtOrder {
  readonly orderId: OrderId;
  readonly supplierId: string;
  /** Null as long as nothing was bought. */
  readonly supplierOrderId: string | null;
  /** What one code costs the shop, times quantity. */
  readonly costMicrocents: Microcents;
  /** The most that the order was allowed to cost. */
  readonly maxCostMicrocents: Microcents;
  readonly status: OrderStatus;
  readonly createdAtMs: number;
  readonly deliveredAtMs: number | null;
}

interface BoughtOrderRow {
  order_id: OrderId;
  supplier_id: string;
  supplier_order_id: string | null;
  cost_microcents: bigint;
  max_cost_microcents: bigint;
  status: OrderStatus;
  created_at_ms: bigint;
  delivered_at_ms: bigint | null;
}

const COLUMNS = `p.order_id, p.supplier_id, p.supplier_order_id, p.unit_cost_microcents * o.qty AS cost_microcents,
  p.max_unit_cost_microcents * o.qty AS max_cost_microcents, o.status, o.created_at_ms, o.delivered_at_ms`;
// Left to itself MariaDB looks up the supplier only and walks to each batch from its newest purchase.
const DELIVERED = `FROM purchases p FORCE INDEX (purchases_supplier) JOIN orders o ON o.order_id = p.order_id
  WHERE p.supplier_id = ? AND o.delivered_at_ms >= ? AND o.delivered_at_ms < ?`;

/**
 * When the first of the orders was placed that were bought from a supplier and delivered within a window; null when there
 * are none.
 */
export async function firstCreatedAtMs(
  session: Session,
  supplierId: string,
  { fromMs, toMs }: TimeWindow,
): Promise<number | null> {
  const [row] = await session.rows<{ first_ms: bigint | null }>(
    `SELECT MIN(o.created_at_ms) AS first_ms ${DELIVERED}`,
    [supplierId, fromMs, toMs],
  );
  return row === undefined || row.first_ms === null ? null : Number(row.first_ms);
}

/** Some of those orders, newest first. @param before only older ones; null for the first. */
export async function findDelivered(
  session: Session,
  supplierId: string,
  { fromMs, toMs }: TimeWindow,
  before: OrderId | null,
  limit: number,
): Promise<BoughtOrder[]> {
  const rows = await session.rows<BoughtOrderRow>(
    `SELECT ${COLUMNS} ${DELIVERED} ${before === null ? "" : "AND p.order_id < ?"}
     ORDER BY p.order_id DESC LIMIT ?`,
    [supplierId, fromMs, toMs, ...(before === null ? [] : [before]), limit],
  );
  return rows.map(toBoughtOrder);
}

/** Orders of any supplier and of any status, by their ids. */
export async function findBoughtOrders(
  session: Session,
  orderIds: readonly OrderId[],
): Promise<ReadonlyMap<string, BoughtOrder>> {
  if (orderIds.length === 0) return new Map();
  const ids = paddedToPowerOfTwo(orderIds);
  const rows = await session.rows<BoughtOrderRow>(
    `SELECT ${COLUMNS} FROM purchases p JOIN orders o ON o.order_id = p.order_id
     WHERE p.order_id IN (${placeholders(ids)})`,
    ids,
  );
  return new Map(rows.map((row) => [row.order_id, toBoughtOrder(row)]));
}

function toBoughtOrder(row: BoughtOrderRow): BoughtOrder {
  return {
    orderId: row.order_id,
    supplierId: row.supplier_id,
    supplierOrderId: row.supplier_order_id,
    costMicrocents: microcents(row.cost_microcents),
    maxCostMicrocents: microcents(row.max_cost_microcents),
    status: row.status,
    createdAtMs: Number(row.created_at_ms),
    deliveredAtMs: row.delivered_at_ms === null ? null : Number(row.delivered_at_ms),
  };
}
