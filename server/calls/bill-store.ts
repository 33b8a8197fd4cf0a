import { type Parameter, placeholders, type Session } from "../database/database.ts";
import { caseOf, inPowerOfTwoChunks, valuesOf } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { CallId } from "../ids.ts";
import { microcents } from "../money/microcents.ts";
import type { Bill, BillItem } from "./bill.ts";

/** What is written of a call's bill: another one, none where there may be one, or nothing at all. */
export type BillChange = Bill | null | typeof KEEP_BILL;

/** The bill stays as it is. */
export const KEEP_BILL = Symbol("keep bill");

/** A call with what is written of its bill. */
export interface BilledCall {
  readonly callId: CallId;
  readonly bill: BillChange;
}

/** The columns of a call that say of its bill what the items do not. */
export interface BillColumns {
  itemized: number;
  speed: string | null;
  inference_geo: string | null;
  service_tier: string | null;
  unpriced: string | null;
}

interface ItemRow {
  call_id: CallId;
  part: string;
  model_id: string;
  kind: string;
  quantity: bigint;
  price_microcents: bigint;
  factor_millionths: bigint;
}

const MAX_UNPRICED_LENGTH = 500;
const ITEM_COLUMNS = "call_id, part, model_id, kind, quantity, price_microcents, factor_millionths";

/** Puts the calls' bills in the place of those that were there. The caller has the calls' row locks. */
export async function writeBills(tx: Transaction, calls: readonly BilledCall[]): Promise<void> {
  const changed = calls.filter((call): call is BilledCall & { bill: Bill | null } => call.bill !== KEEP_BILL);
  for (const some of inPowerOfTwoChunks(changed)) {
    await updateBillColumns(tx, some);
    const callIds = some.map(({ callId }) => callId);
    await tx.change(`DELETE FROM call_bill_items WHERE call_id IN (${placeholders(callIds)})`, callIds);
  }
  const rows = changed.flatMap(({ callId, bill }) => (bill?.items ?? []).map(itemRow(callId)));
  for (const some of inPowerOfTwoChunks(rows)) {
    const { sql, values } = valuesOf(some);
    await tx.change(`INSERT INTO call_bill_items (position, ${ITEM_COLUMNS}) ${sql}`, values);
  }
}

/** The items of those of the calls that have any, in their order. */
export async function findBillItems(
  session: Session,
  callIds: readonly CallId[],
): Promise<ReadonlyMap<CallId, readonly BillItem[]>> {
  const rows: ItemRow[] = [];
  for (const some of inPowerOfTwoChunks(callIds)) {
    rows.push(
      ...(await session.rows<ItemRow>(
        `SELECT ${ITEM_COLUMNS} FROM call_bill_items WHERE call_id IN (${placeholders(some)})
         ORDER BY call_id, position`,
        some,
      )),
    );
  }
  const items = Map.groupBy(rows, ({ call_id }) => call_id);
  return new Map([...items].map(([callId, some]) => [callId, some.map(toItem)]));
}

/** The bill of a call's row with its items; null when it has none. */
export function toBill(row: BillColumns, items: readonly BillItem[]): Bill | null {
  if (row.itemized !== 1) return null;
  return {
    items,
    speed: row.speed,
    inferenceGeo: row.inference_geo,
    serviceTier: row.service_tier,
    unpriced: row.unpriced?.split(" ") ?? [],
  };
}

async function updateBillColumns(
  tx: Transaction,
  calls: readonly { readonly callId: CallId; readonly bill: Bill | null }[],
): Promise<void> {
  const columns = Object.keys(billColumns(null)) as (keyof BillColumns)[];
  const assignments = columns.map((column) => {
    const each = caseOf(
      "call_id",
      calls.map(({ callId, bill }) => [callId, billColumns(bill)[column]]),
    );
    return { sql: `${column} = ${each.sql}`, values: each.values };
  });
  const callIds = calls.map(({ callId }) => callId);
  const changed = await tx.change(
    `UPDATE calls SET ${assignments.map(({ sql }) => sql).join(", ")}
     WHERE call_id IN (${placeholders(callIds)})`,
    [...assignments.flatMap(({ values }) => values), ...callIds],
  );
  if (changed !== calls.length) throw new Error("Not every call has its bill.");
}

function billColumns(bill: Bill | null): BillColumns {
  return {
    itemized: bill === null ? 0 : 1,
    speed: bill?.speed ?? null,
    inference_geo: bill?.inferenceGeo ?? null,
    service_tier: bill?.serviceTier ?? null,
    unpriced: bill?.unpriced.length ? bill.unpriced.join(" ").slice(0, MAX_UNPRICED_LENGTH) : null,
  };
}

function itemRow(callId: CallId): (item: BillItem, position: number) => readonly Parameter[] {
  return ({ part, modelId, kind, quantity, priceMicrocents, factorMillionths }, position) => [
    ...[position, callId, part, modelId, kind, quantity, priceMicrocents, factorMillionths],
  ];
}

function toItem(row: ItemRow): BillItem {
  return {
    part: row.part,
    modelId: row.model_id,
    kind: row.kind,
    quantity: Number(row.quantity),
    priceMicrocents: microcents(row.price_microcents),
    factorMillionths: Number(row.factor_millionths),
  };
}
