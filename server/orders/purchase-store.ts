import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { type Parameter, placeholders, type Session } from "../database/database.ts";
import { isDuplicateKey } from "../database/faults.ts";
import { caseOf, inPowerOfTwoChunks, valuesOf } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { OrderId } from "../ids.ts";
import { type Microcents, microcents } from "../money/microcents.ts";
import type { SuppliedCodes } from "../suppliers/supplier.ts";
import { CLAIM_SEPARATOR } from "./claim.ts";
import type { Purchase } from "./purchase.ts";

interface PurchaseRow {
  order_id: OrderId;
  supplier_id: string;
  supplier_product_id: string;
  max_unit_cost_microcents: bigint;
  unit_cost_microcents: bigint;
  supplier_order_id: string | null;
  claim: string;
  leased: number;
  attempts: number;
  unconfirmed_since_ms: bigint | null;
  processing_since_ms: bigint;
  due_at_ms: bigint | null;
}

/** A code that was bought for an order, as it is stored. */
export interface PurchasedCode {
  readonly orderId: OrderId;
  readonly position: number;
  readonly ciphertext: Buffer;
  readonly fingerprint: Buffer;
}

const COLUMNS =
  "order_id, supplier_id, supplier_product_id, max_unit_cost_microcents, unit_cost_microcents, supplier_order_id, " +
  "claim, leased, attempts, unconfirmed_since_ms, processing_since_ms, due_at_ms";

// What both ends of a purchase leave behind; the claim in its condition keeps those away who lost it.
const END_PURCHASE = "UPDATE purchases SET leased = 0, unconfirmed_since_ms = NULL, due_at_ms = ?";
const OF_CLAIM = "WHERE order_id = ? AND claim = ? AND leased = 1";

/** Another attempt has claimed the purchase; the one that finds this must leave it alone. */
export class ClaimLostError extends Error {
  constructor(orderIds: string) {
    super(`Another attempt has taken over order ${orderIds}.`);
    this.name = "ClaimLostError";
  }
}

/** The supplier has delivered a code that it had delivered before. */
export class DuplicateCodeError extends Error {
  constructor() {
    super("The supplier delivered a code that was sold before.");
    this.name = "DuplicateCodeError";
  }
}

export async function insertPurchases(tx: Transaction, purchases: readonly Purchase[]): Promise<void> {
  const { sql, values } = valuesOf(purchases.map(rowOf));
  const inserted = await tx.change(`INSERT INTO purchases (${COLUMNS}) ${sql}`, values);
  if (inserted !== purchases.length) throw new Error("Not every purchase was written.");
}

/** Begins the purchase of an order anew that had ended without one. The order's row is locked by the caller. */
export async function restartPurchase(tx: Transaction, purchase: Purchase): Promise<void> {
  const [, ...values] = rowOf(purchase);
  const changed = await tx.change(
    `UPDATE purchases SET supplier_id = ?, supplier_product_id = ?, max_unit_cost_microcents = ?,
       unit_cost_microcents = ?, supplier_order_id = ?, claim = ?, leased = ?, attempts = ?, unconfirmed_since_ms = ?,
       processing_since_ms = ?, due_at_ms = ?
     WHERE order_id = ? AND leased = 0`,
    [...values, purchase.orderId],
  );
  if (changed !== 1) throw new ClaimLostError(purchase.orderId);
}

export async function findPurchase(session: Session, orderId: OrderId): Promise<Purchase | null> {
  const sql = `SELECT ${COLUMNS} FROM purchases WHERE order_id = ?`;
  const [row] = await session.rows<PurchaseRow>(sql, [orderId]);
  return row === undefined ? null : toPurchase(row);
}

/**
 * Claims a purchase that no process works on. `purchase` is what was read, `claimed` what it becomes.
 * @returns false when another process was faster.
 */
export async function claimPurchase(
  session: Session,
  purchase: Purchase,
  claimed: Purchase,
): Promise<boolean> {
  const changed = await session.change(
    `UPDATE purchases SET claim = ?, leased = ?, attempts = ?, unconfirmed_since_ms = ?, due_at_ms = ?
     WHERE order_id = ? AND claim = ? AND leased = ? AND due_at_ms = ?`,
    [
      claimed.claim,
      claimed.leased,
      claimed.attempts,
      claimed.inDoubtSinceMs,
      claimed.dueAtMs,
      purchase.orderId,
      purchase.claim,
      purchase.leased,
      purchase.dueAtMs,
    ],
  );
  return changed === 1;
}

/** Agrees to another cost before it is sent. @throws {ClaimLostError} */
export async function updateAgreedCost(
  session: Session,
  { orderId, claim }: Purchase,
  cost: Microcents,
): Promise<void> {
  const sql = `UPDATE purchases SET unit_cost_microcents = ? ${OF_CLAIM}`;
  if ((await session.change(sql, [cost, orderId, claim])) !== 1) throw new ClaimLostError(orderId);
}

/**
 * Leaves a purchase to the process that claims it after `dueAtMs`; the same may be said again.
 * @throws {ClaimLostError}
 */
export async function postponePurchase(
  session: Session,
  { orderId, claim }: Purchase,
  { dueAtMs, inDoubtSinceMs }: { dueAtMs: number; inDoubtSinceMs: number },
): Promise<void> {
  const changed = await session.change(
    `UPDATE purchases SET leased = 0, due_at_ms = ?, unconfirmed_since_ms = ?
     WHERE order_id = ? AND claim = ? AND (leased = 1 OR due_at_ms = ?)`,
    [dueAtMs, inDoubtSinceMs, orderId, claim, dueAtMs],
  );
  if (changed !== 1) throw new ClaimLostError(orderId);
}

/** Ends a purchase that bought nothing. @param dueAtMs when its order is closed; null for never. @throws {ClaimLostError} */
export async function markNotPurchased(
  tx: Transaction,
  { orderId, claim }: Purchase,
  dueAtMs: number | null,
): Promise<void> {
  const changed = await tx.change(`${END_PURCHASE} ${OF_CLAIM}`, [dueAtMs, orderId, claim]);
  if (changed !== 1) throw new ClaimLostError(orderId);
}

/** A purchase that was made, and what came of it. */
export interface MadePurchase {
  readonly purchase: Purchase;
  readonly supplied: Pick<SuppliedCodes, "supplierOrderId" | "unitCostMicrocents">;
}

/** Ends purchases that were made. @throws {ClaimLostError} one of them was taken over. */
export async function markPurchased(tx: Transaction, made: readonly MadePurchase[]): Promise<void> {
  const cost = caseOf(
    "order_id",
    made.map(({ purchase, supplied }) => [purchase.orderId, supplied.unitCostMicrocents]),
  );
  const supplierOrder = caseOf(
    "order_id",
    made.map(({ purchase, supplied }) => [purchase.orderId, supplied.supplierOrderId]),
  );
  const changed = await tx.change(
    `${END_PURCHASE}, unit_cost_microcents = ${cost.sql}, supplier_order_id = ${supplierOrder.sql}
     WHERE order_id IN (${placeholders(made)}) AND claim IN (${placeholders(made)}) AND leased = 1`,
    [
      null,
      ...cost.values,
      ...supplierOrder.values,
      ...made.map(({ purchase }) => purchase.orderId),
      // A claim is random: none of the other orders can have it.
      ...made.map(({ purchase }) => purchase.claim),
    ],
  );
  if (changed !== made.length)
    throw new ClaimLostError(made.map(({ purchase }) => purchase.orderId).join(", "));
}

/** Ends the waiting of an order that is closed because it was not sent again. @throws {ClaimLostError} it is not due. */
export async function closePurchase(tx: Transaction, orderId: OrderId, nowMs: number): Promise<void> {
  const sql = "UPDATE purchases SET due_at_ms = NULL WHERE order_id = ? AND leased = 0 AND due_at_ms <= ?";
  if ((await tx.change(sql, [orderId, nowMs])) !== 1) throw new ClaimLostError(orderId);
}

/** Orders whose purchases recovery has to look at, the longest due first. */
export async function dueOrders(session: Session, nowMs: number, limit: number): Promise<OrderId[]> {
  const rows = await session.rows<{ order_id: OrderId }>(
    "SELECT order_id FROM purchases WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?",
    [nowMs, limit],
  );
  return rows.map(({ order_id }) => order_id);
}

/**
 * Orders that these processes are at work on, though none of their leases has run out. @param untilMs the end of the longest
 * lease that there can be
 */
export async function leasedOrders(
  session: Session,
  processIds: readonly string[],
  { nowMs, untilMs, limit }: { nowMs: number; untilMs: number; limit: number },
): Promise<OrderId[]> {
  const ids = paddedToPowerOfTwo(processIds);
  const rows = await session.rows<{ order_id: OrderId }>(
    `SELECT order_id FROM purchases WHERE due_at_ms > ? AND due_at_ms <= ? AND leased = 1
       AND SUBSTRING_INDEX(claim, '${CLAIM_SEPARATOR}', 1) IN (${placeholders(ids)})
     ORDER BY due_at_ms LIMIT ?`,
    [nowMs, untilMs, ...ids, limit],
  );
  return rows.map(({ order_id }) => order_id);
}

/** Stores what was bought. @throws {DuplicateCodeError} */
export async function insertPurchasedCodes(tx: Transaction, codes: readonly PurchasedCode[]): Promise<void> {
  for (const list of inPowerOfTwoChunks(codes)) {
    const { sql, values } = valuesOf(
      list.map(({ orderId, position, ciphertext, fingerprint }) => [
        orderId,
        position,
        ciphertext,
        fingerprint,
      ]),
    );
    const inserting = tx.change(
      `INSERT INTO purchased_codes (order_id, position, ciphertext, fingerprint) ${sql}`,
      values,
    );
    const inserted = await inserting.catch((error: unknown) => {
      throw isDuplicateKey(error) ? new DuplicateCodeError() : error;
    });
    if (inserted !== list.length) throw new Error("Not every code was stored.");
  }
}

/** What was bought for several orders: for each, its codes in the order in which they came. */
export async function findPurchasedCodes(
  session: Session,
  orderIds: readonly OrderId[],
): Promise<Pick<PurchasedCode, "position" | "ciphertext">[][]> {
  const ids = paddedToPowerOfTwo(orderIds);
  const rows = await session.rows<{ order_id: OrderId; position: number; ciphertext: Buffer }>(
    `SELECT order_id, position, ciphertext FROM purchased_codes
     WHERE order_id IN (${placeholders(ids)}) ORDER BY order_id, position`,
    ids,
  );
  const byOrder = Map.groupBy(rows, (row) => row.order_id);
  return orderIds.map((orderId) => byOrder.get(orderId) ?? []);
}

type EncryptedPurchasedCode = Omit<PurchasedCode, "fingerprint">;

/** How many codes were bought for orders. */
export async function countPurchasedCodes(session: Session): Promise<number> {
  const [row] = await session.rows<{ count: bigint }>("SELECT COUNT(*) AS count FROM purchased_codes");
  return Number(row?.count ?? 0n);
}

/** The next codes after one, by order and position. */
export async function findPurchasedCodesAfter(
  session: Session,
  { orderId, position }: Pick<PurchasedCode, "orderId" | "position">,
  limit: number,
): Promise<EncryptedPurchasedCode[]> {
  const read = (condition: string, values: readonly Parameter[], most: number) =>
    session.rows<{ order_id: OrderId; position: number; ciphertext: Buffer }>(
      `SELECT order_id, position, ciphertext FROM purchased_codes WHERE ${condition}
       ORDER BY order_id, position LIMIT ?`,
      [...values, most],
    );
  const rows = await read("order_id = ? AND position > ?", [orderId, position], limit);
  if (rows.length < limit) rows.push(...(await read("order_id > ?", [orderId], limit - rows.length)));
  return rows.map(({ order_id, ...code }) => ({ orderId: order_id, ...code }));
}

/** Puts new ciphertexts in the places of some codes of an order. */
export async function replacePurchasedCiphertexts(
  session: Session,
  orderId: OrderId,
  codes: readonly Omit<EncryptedPurchasedCode, "orderId">[],
): Promise<void> {
  for (const some of inPowerOfTwoChunks(codes)) {
    const { sql, values } = caseOf(
      "position",
      some.map(({ position, ciphertext }) => [position, ciphertext]),
    );
    const positions = some.map(({ position }) => position);
    await session.change(
      `UPDATE purchased_codes SET ciphertext = ${sql}
       WHERE order_id = ? AND position IN (${placeholders(positions)})`,
      [...values, orderId, ...positions],
    );
  }
}

function rowOf(purchase: Purchase): Parameter[] {
  return [
    purchase.orderId,
    purchase.supplierId,
    purchase.supplierProductId,
    purchase.maxUnitCostMicrocents,
    purchase.unitCostMicrocents,
    purchase.supplierOrderId,
    purchase.claim,
    purchase.leased,
    purchase.attempts,
    purchase.inDoubtSinceMs,
    purchase.processingSinceMs,
    purchase.dueAtMs,
  ];
}

function toPurchase(row: PurchaseRow): Purchase {
  return {
    orderId: row.order_id,
    supplierId: row.supplier_id,
    supplierProductId: row.supplier_product_id,
    maxUnitCostMicrocents: microcents(row.max_unit_cost_microcents),
    unitCostMicrocents: microcents(row.unit_cost_microcents),
    supplierOrderId: row.supplier_order_id,
    claim: row.claim,
    leased: row.leased === 1,
    attempts: row.attempts,
    inDoubtSinceMs: row.unconfirmed_since_ms === null ? null : Number(row.unconfirmed_since_ms),
    processingSinceMs: Number(row.processing_since_ms),
    dueAtMs: row.due_at_ms === null ? null : Number(row.due_at_ms),
  };
}
