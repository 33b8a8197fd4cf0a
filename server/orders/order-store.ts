import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { type Parameter, placeholders, type Session } from "../database/database.ts";
import { isDuplicateKey, isLockTimeout } from "../database/faults.ts";
import { caseOf, type Fragment, inPowerOfTwoChunks, valuesOf } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId, KeyId, OrderId } from "../ids.ts";
import { microcents } from "../money/microcents.ts";
import type { CodeRange } from "../stock/segment.ts";
import type { Order } from "./order.ts";
import { type AllowedStatus, type OrderStatus, StatusConflictError } from "./order-status.ts";

interface OrderRow {
  order_id: OrderId;
  account_id: AccountId;
  external_order_id: Buffer;
  key_id: KeyId;
  product_id: string;
  product_name: string;
  qty: number;
  unit_price_microcents: bigint;
  amount_microcents: bigint;
  status: OrderStatus;
  redeem_url: string | null;
  error_code: string | null;
  spend_day: string;
  created_at_ms: bigint;
  delivered_at_ms: bigint | null;
  refunded_at_ms: bigint | null;
}

type OrderRangeRow = OrderRow &
  ({ first_sequence: bigint; end_sequence: bigint } | { first_sequence: null; end_sequence: null });

/** An order and the codes that it shows: those it took when it is delivered, none otherwise. */
export interface StoredOrder {
  readonly order: Order;
  readonly ranges: readonly CodeRange[];
}

/** What a buyer knows an order by. */
export type OrderIdentity = Pick<Order, "accountId" | "externalOrderId">;

/** What a list of orders is narrowed to; what is absent does not narrow. */
export interface OrderFilter {
  readonly accountId?: AccountId;
  readonly externalOrderId?: string | undefined;
  readonly productId?: string;
  readonly status?: OrderStatus;
  /** Only orders older than this one. */
  readonly before?: OrderId | undefined;
}

/** Where an order stands among its account's, by the time at which it was made. */
export type OrderPosition = Pick<Order, "createdAtMs" | "orderId">;

/** Which orders of a period are listed; what is absent does not narrow. */
export interface PeriodFilter {
  readonly externalOrderId?: string | undefined;
  readonly fromMs?: number | undefined;
  /** Only before this moment. */
  readonly toMs?: number | undefined;
  /** Only orders older than this one. */
  readonly before?: OrderPosition | undefined;
}

const COLUMN_NAMES = [
  "order_id",
  "account_id",
  "external_order_id",
  "key_id",
  "product_id",
  "product_name",
  "qty",
  "unit_price_microcents",
  "amount_microcents",
  "status",
  "redeem_url",
  "error_code",
  "spend_day",
  "created_at_ms",
  "delivered_at_ms",
  "refunded_at_ms",
] as const;
const COLUMNS = COLUMN_NAMES.join(", ");

// A refunded order shows no codes, though they stay sold.
const ORDER_WITH_RANGES = `
  SELECT ${COLUMN_NAMES.map((name) => `o.${name}`).join(", ")}, r.first_sequence, r.end_sequence
  FROM orders o LEFT JOIN order_code_ranges r ON r.order_id = o.order_id AND o.status = 'delivered'`;

/** The account has an order under the same externalOrderId already. */
export class OrderExistsError extends Error {}

/** Writes new orders, in the order of the key that others may want as well. @throws {OrderExistsError} one is there already. */
export async function insertOrders(tx: Transaction, orders: readonly Order[]): Promise<void> {
  const { sql, values } = valuesOf(orders.toSorted(byBuyersKey).map(rowOf));
  const inserting = tx.change(`INSERT INTO orders (${COLUMNS}) ${sql}`, values);
  const inserted = await inserting.catch((error: unknown) => {
    throw isDuplicateKey(error) ? new OrderExistsError() : error;
  });
  if (inserted !== orders.length) throw new Error("Not every order was written.");
}

/** Records which codes orders took. */
export async function insertCodeRanges(
  tx: Transaction,
  taken: ReadonlyMap<Order, readonly CodeRange[]>,
): Promise<void> {
  const rows = [...taken].flatMap(([{ orderId, productId }, ranges]) =>
    ranges.map(({ firstSequence, endSequence }) => [orderId, productId, firstSequence, endSequence]),
  );
  for (const some of inPowerOfTwoChunks(rows)) {
    const { sql, values } = valuesOf(some);
    const inserted = await tx.change(
      `INSERT INTO order_code_ranges (order_id, product_id, first_sequence, end_sequence) ${sql}`,
      values,
    );
    if (inserted !== some.length) throw new Error("Not every range of codes was written.");
  }
}

/** Several orders by the buyers' ids, compared byte for byte; null for an id that stands for none. */
export async function findByIdentities(
  session: Session,
  keys: readonly OrderIdentity[],
): Promise<(StoredOrder | null)[]> {
  const wanted = paddedToPowerOfTwo(keys);
  const rows = await session.rows<OrderRangeRow>(
    `${ORDER_WITH_RANGES} WHERE ${wanted.map(() => "(o.account_id = ? AND o.external_order_id = ?)").join(" OR ")}
     ORDER BY r.first_sequence`,
    wanted.flatMap((key) => [key.accountId, Buffer.from(key.externalOrderId)]),
  );
  const byKey = Map.groupBy(rows, (row) => mapKey(row.account_id, row.external_order_id));
  return keys.map((key) =>
    toStoredOrder(byKey.get(mapKey(key.accountId, Buffer.from(key.externalOrderId))) ?? []),
  );
}

/** Whether a transaction under way holds the row of an order, such as one that has written it and is not committed yet. */
export async function isOrderLocked(session: Session, key: OrderIdentity): Promise<boolean> {
  try {
    await session.rows(
      "SELECT order_id FROM orders WHERE account_id = ? AND external_order_id = ? FOR UPDATE NOWAIT",
      [key.accountId, Buffer.from(key.externalOrderId)],
    );
    return false;
  } catch (error) {
    if (isLockTimeout(error)) return true;
    throw error;
  }
}

/** An account's order by our id. */
export async function findByOrderId(
  session: Session,
  accountId: AccountId,
  orderId: OrderId,
): Promise<StoredOrder | null> {
  const sql = `${ORDER_WITH_RANGES} WHERE o.order_id = ? AND o.account_id = ? ORDER BY r.first_sequence`;
  return toStoredOrder(await session.rows<OrderRangeRow>(sql, [orderId, accountId]));
}

/** Any account's order, without its codes. */
export async function findOrder(session: Session, orderId: OrderId): Promise<Order | null> {
  const [row] = await session.rows<OrderRow>(`SELECT ${COLUMNS} FROM orders WHERE order_id = ?`, [orderId]);
  return row === undefined ? null : toOrder(row);
}

/** Locks any account's order. */
export async function lockOrder(tx: Transaction, orderId: OrderId): Promise<Order | null> {
  const [row] = await tx.rows<OrderRow>(`SELECT ${COLUMNS} FROM orders WHERE order_id = ? FOR UPDATE`, [
    orderId,
  ]);
  return row === undefined ? null : toOrder(row);
}

/** Orders without their codes, newest first. */
export async function listOrders(session: Session, filter: OrderFilter, limit: number): Promise<Order[]> {
  const { sql, values } = conditionsOf([
    ["account_id = ?", filter.accountId],
    ["external_order_id = ?", filter.externalOrderId && Buffer.from(filter.externalOrderId)],
    ["product_id = ?", filter.productId],
    ["status = ?", filter.status],
    ["order_id < ?", filter.before],
  ]);
  // Left to itself MariaDB looks up the account only and walks to the page from its newest order.
  const index = filter.accountId && !filter.externalOrderId ? "FORCE INDEX (orders_account)" : "";
  const rows = await session.rows<OrderRow>(
    `SELECT ${COLUMNS} FROM orders ${index} ${sql} ORDER BY order_id DESC LIMIT ?`,
    [...values, limit],
  );
  return rows.map(toOrder);
}

/** An account's orders of a period without their codes, newest first: by their own times, which ids tell by the clock of a machine. */
export async function listOrdersOfPeriod(
  session: Session,
  accountId: AccountId,
  { externalOrderId, fromMs, toMs, before }: PeriodFilter,
  limit: number,
): Promise<Order[]> {
  const { sql, values } = conditionsOf([
    ["account_id = ?", accountId],
    ["external_order_id = ?", externalOrderId && Buffer.from(externalOrderId)],
    ["created_at_ms >= ?", fromMs],
    ["created_at_ms < ?", toMs],
    // Alone, the first of these leads the way in the index.
    ["created_at_ms <= ?", before?.createdAtMs],
    ["(created_at_ms < ? OR order_id < ?)", before?.createdAtMs, before?.orderId],
  ]);
  const index = externalOrderId === undefined ? "FORCE INDEX (orders_account_time)" : "";
  const rows = await session.rows<OrderRow>(
    `SELECT ${COLUMNS} FROM orders ${index} ${sql} ORDER BY created_at_ms DESC, order_id DESC LIMIT ?`,
    [...values, limit],
  );
  return rows.map(toOrder);
}

/** What an order is given when it is delivered. */
export interface DeliveryColumns {
  readonly orderId: OrderId;
  readonly redeemUrl: string;
  readonly deliveredAtMs: number;
}

/** processing → delivered. @throws {StatusConflictError} */
export async function markDelivered(tx: Transaction, deliveries: readonly DeliveryColumns[]): Promise<void> {
  const ids = deliveries.map(({ orderId }) => orderId);
  await transitionOrders(tx, ids, "processing", "delivered", {
    redeem_url: caseOf(
      "order_id",
      deliveries.map(({ orderId, redeemUrl }) => [orderId, redeemUrl]),
    ),
    error_code: null,
    delivered_at_ms: caseOf(
      "order_id",
      deliveries.map(({ orderId, deliveredAtMs }) => [orderId, deliveredAtMs]),
    ),
  });
}

/** processing → retryable. @throws {StatusConflictError} */
export async function markRetryable(tx: Transaction, orderId: OrderId, errorCode: string): Promise<void> {
  await transitionOrders(tx, [orderId], "processing", "retryable", { error_code: errorCode });
}

/** processing or retryable → failed. @throws {StatusConflictError} */
export async function markFailed(
  tx: Transaction,
  orderId: OrderId,
  from: "processing" | "retryable",
  errorCode: string | null,
): Promise<void> {
  await transitionOrders(tx, [orderId], from, "failed", { error_code: errorCode });
}

/** retryable → processing, with what the order is now. @throws {StatusConflictError} */
export async function markProcessingAgain(tx: Transaction, order: Order): Promise<void> {
  await transitionOrders(tx, [order.orderId], "retryable", "processing", {
    key_id: order.keyId,
    product_name: order.productName,
    unit_price_microcents: order.unitPriceMicrocents,
    amount_microcents: order.amountMicrocents,
    error_code: null,
    spend_day: order.spendDay,
  });
}

/** delivered → refunded. @throws {StatusConflictError} */
export async function markRefunded(tx: Transaction, orderId: OrderId, nowMs: number): Promise<void> {
  await transitionOrders(tx, [orderId], "delivered", "refunded", { refunded_at_ms: nowMs });
}

/**
 * Gives orders another status, and takes their rows' locks. The statement names the status that they have, so that of two
 * transitions of the same order only one succeeds.
 * @param columns what changes in the orders' rows together with their status.
 * @throws {StatusConflictError} one of them has another status.
 */
export async function transitionOrders<From extends OrderStatus>(
  tx: Transaction,
  orderIds: readonly OrderId[],
  from: From,
  to: AllowedStatus<From>,
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
  if (changed !== orderIds.length) throw new StatusConflictError(orderIds, from, to);
}

function isFragment(value: Parameter | Fragment): value is Fragment {
  return typeof value === "object" && value !== null && "sql" in value;
}

/** Those conditions whose values are given, as a WHERE. */
function conditionsOf(conditions: readonly [sql: string, ...values: (Parameter | undefined)[]][]) {
  const given = conditions.flatMap(([sql, ...values]) => {
    const all = values.filter((value) => value !== undefined);
    return all.length === values.length ? [{ sql, values: all }] : [];
  });
  return {
    sql: given.length === 0 ? "" : `WHERE ${given.map(({ sql }) => sql).join(" AND ")}`,
    values: given.flatMap(({ values }) => values),
  };
}

function rowOf(order: Order): Parameter[] {
  return [
    order.orderId,
    order.accountId,
    Buffer.from(order.externalOrderId),
    order.keyId,
    order.productId,
    order.productName,
    order.qty,
    order.unitPriceMicrocents,
    order.amountMicrocents,
    order.status,
    order.redeemUrl,
    order.errorCode,
    order.spendDay,
    order.createdAtMs,
    order.deliveredAtMs,
    order.refundedAtMs,
  ];
}

function byBuyersKey(a: OrderIdentity, b: OrderIdentity): number {
  if (a.accountId !== b.accountId) return a.accountId < b.accountId ? -1 : 1;
  return Buffer.compare(Buffer.from(a.externalOrderId), Buffer.from(b.externalOrderId));
}

function mapKey(accountId: AccountId, externalOrderId: Buffer): string {
  return accountId + externalOrderId.toString("latin1");
}

function toStoredOrder(rows: readonly OrderRangeRow[]): StoredOrder | null {
  const [first] = rows;
  if (first === undefined) return null;
  const ranges = rows.flatMap((row) =>
    row.first_sequence === null ? [] : [{ firstSequence: row.first_sequence, endSequence: row.end_sequence }],
  );
  return { order: toOrder(first), ranges };
}

function toOrder(row: OrderRow): Order {
  return {
    orderId: row.order_id,
    accountId: row.account_id,
    externalOrderId: row.external_order_id.toString(),
    keyId: row.key_id,
    productId: row.product_id,
    productName: row.product_name,
    qty: row.qty,
    unitPriceMicrocents: microcents(row.unit_price_microcents),
    amountMicrocents: microcents(row.amount_microcents),
    status: row.status,
    redeemUrl: row.redeem_url,
    errorCode: row.error_code,
    spendDay: row.spend_day,
    createdAtMs: Number(row.created_at_ms),
    deliveredAtMs: row.delivered_at_ms === null ? null : Number(row.delivered_at_ms),
    refundedAtMs: row.refunded_at_ms === null ? null : Number(row.refunded_at_ms),
  };
}
