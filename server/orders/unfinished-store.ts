import type { Session } from "../database/database.ts";
import type { AccountId, OrderId } from "../ids.ts";
import { type Microcents, microcents } from "../money/microcents.ts";

/** An order that is processing, with what is held for it and how its purchase stands. */
export interface ProcessingOrder {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly productId: string;
  readonly qty: number;
  /** Held on the account until the order comes to an end. */
  readonly amountMicrocents: Microcents;
  readonly supplierId: string;
  /** How often the supplier was asked. */
  readonly attempts: number;
  readonly processingSinceMs: number;
  /** Whether a process works on it, until `dueAtMs` at the latest. */
  readonly leased: boolean;
  /** When it is taken up again. */
  readonly dueAtMs: number;
}

/** How many orders have not come to an end. */
export interface UnfinishedCounts {
  readonly processing: number;
  /** Those of `processing` that have been so since the given moment or longer. */
  readonly stuck: number;
  readonly retryable: number;
}

interface ProcessingRow {
  order_id: OrderId;
  account_id: AccountId;
  product_id: string;
  qty: number;
  amount_microcents: bigint;
  supplier_id: string;
  attempts: number;
  processing_since_ms: bigint;
  leased: number;
  due_at_ms: bigint;
}

// Orders that have not come to an end are due at some time, and only they are: the index on it leads to these few.
const UNFINISHED = "FROM purchases p JOIN orders o ON o.order_id = p.order_id WHERE p.due_at_ms >= 0";

/** Orders that have been processing since that moment or longer, the longest first. */
export async function findProcessingSince(
  session: Session,
  sinceMs: number,
  limit: number,
): Promise<ProcessingOrder[]> {
  const rows = await session.rows<ProcessingRow>(
    `SELECT p.order_id, o.account_id, o.product_id, o.qty, o.amount_microcents, p.supplier_id, p.attempts,
       p.processing_since_ms, p.leased, p.due_at_ms
     ${UNFINISHED} AND o.status = 'processing' AND p.processing_since_ms <= ?
     ORDER BY p.processing_since_ms, p.order_id LIMIT ?`,
    [sinceMs, limit],
  );
  return rows.map((row) => ({
    orderId: row.order_id,
    accountId: row.account_id,
    productId: row.product_id,
    qty: row.qty,
    amountMicrocents: microcents(row.amount_microcents),
    supplierId: row.supplier_id,
    attempts: row.attempts,
    processingSinceMs: Number(row.processing_since_ms),
    leased: row.leased === 1,
    dueAtMs: Number(row.due_at_ms),
  }));
}

/** Counts the orders that have not come to an end. @param stuckSinceMs since when an order that is stuck has been processing. */
export async function countUnfinished(session: Session, stuckSinceMs: number): Promise<UnfinishedCounts> {
  const [row] = await session.rows<Record<keyof UnfinishedCounts, bigint>>(
    `SELECT COUNT(CASE WHEN o.status = 'processing' THEN 1 END) AS processing,
       COUNT(CASE WHEN o.status = 'processing' AND p.processing_since_ms <= ? THEN 1 END) AS stuck,
       COUNT(CASE WHEN o.status = 'retryable' THEN 1 END) AS retryable
     ${UNFINISHED}`,
    [stuckSinceMs],
  );
  if (row === undefined) throw new Error("Counting gave no row.");
  return {
    processing: Number(row.processing),
    stuck: Number(row.stuck),
    retryable: Number(row.retryable),
  };
}

/** How many orders are processing that are bought from a supplier. */
export async function countProcessingFrom(session: Session, supplierId: string): Promise<number> {
  const [row] = await session.rows<{ processing: bigint }>(
    `SELECT COUNT(*) AS processing ${UNFINISHED} AND o.status = 'processing' AND p.supplier_id = ?`,
    [supplierId],
  );
  if (row === undefined) throw new Error("Counting gave no row.");
  return Number(row.processing);
}
