import type { Session } from "../database/database.ts";
import type { AccountId } from "../ids.ts";
import { microcents } from "../money/microcents.ts";
import type { Run } from "./buckets.ts";
import { CALL_COLUMNS, DUE_CALL_ROWS, ORDER_COLUMNS, ORDER_ROWS } from "./counted-rows-store.ts";
import type { CallFigures, Grouped, OrderFigures } from "./figures.ts";

/** What figures are told apart by: the column of the rollups. */
export const ORDER_GROUPS = { product: "product_id" } as const;
export const CALL_GROUPS = { key: "key_id", model: "model_id" } as const;

/** What some buckets of an account hold; a bucket without anything is left out. */
interface FiguresQuery<Group> {
  readonly accountId: AccountId;
  readonly run: Run;
  readonly groupBy: Group | null;
}

/**
 * Whole numbers of doubles are exact up to here. None of the columns is ever negative, so that a sum below it has had no part
 * beyond it.
 */
const MOST_EXACT = 2n ** 53n;

type Row<Column extends string> = { bucket: bigint; grouped: string | null } & Record<Column, bigint>;

/**
 * Orders and refunds, those in the rollups and those that are not in them yet: one statement, which reads both as they were at
 * one moment.
 */
export async function orderFigures(
  session: Session,
  { accountId, run, groupBy }: FiguresQuery<keyof typeof ORDER_GROUPS>,
): Promise<Grouped<OrderFigures>[]> {
  const { fromMs, toMs } = run;
  const rows = await rowsOf(
    session,
    {
      table: "order_rollups",
      columns: ORDER_COLUMNS,
      group: groupBy && ORDER_GROUPS[groupBy],
      others: `${ORDER_ROWS} AND e.created_at_ms >= ? AND e.created_at_ms < ? AND e.sequence >
        COALESCE((SELECT ledger_sequence FROM rollup_progress WHERE account_id = ?), 0)`,
    },
    [...placesIn({ accountId, run, groupBy }), accountId, fromMs, toMs, accountId],
  );
  return rows.map((row) => ({
    ...groupOf(row, run),
    figures: {
      orders: Number(row.orders),
      codes: Number(row.codes),
      amountMicrocents: microcents(row.amount_microcents),
      refunds: Number(row.refunds),
      refundedMicrocents: microcents(row.refunded_microcents),
    },
  }));
}

/** The same of calls, by when they ended. */
export async function callFigures(
  session: Session,
  { accountId, run, groupBy }: FiguresQuery<keyof typeof CALL_GROUPS>,
): Promise<Grouped<CallFigures>[]> {
  const { fromMs, toMs } = run;
  const rows = await rowsOf(
    session,
    {
      table: "call_rollups",
      columns: CALL_COLUMNS,
      group: groupBy && CALL_GROUPS[groupBy],
      others: `${DUE_CALL_ROWS} AND ended_at_ms >= ? AND ended_at_ms < ?`,
    },
    [...placesIn({ accountId, run, groupBy }), accountId, fromMs, toMs],
  );
  return rows.map((row) => ({
    ...groupOf(row, run),
    figures: {
      completed: Number(row.completed),
      clientAborted: Number(row.client_aborted),
      upstreamFailed: Number(row.upstream_failed),
      rejected: Number(row.rejected),
      inputTokens: Number(row.input_tokens),
      outputTokens: Number(row.output_tokens),
      cacheWriteTokens: Number(row.cache_write_tokens),
      cacheReadTokens: Number(row.cache_read_tokens),
      amountMicrocents: microcents(row.amount_microcents),
    },
  }));
}

/** What is summed up, and told apart. */
interface Counted<Column extends string> {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly group: string | null;
  /** A SELECT of what is not in the rollups, with their columns. */
  readonly others: string;
}

/** Adds doubles, in half of the time that SUM takes for whole numbers, of which it makes decimals; those where doubles may not do. */
async function rowsOf<Column extends string>(
  session: Session,
  counted: Counted<Column>,
  places: readonly (AccountId | number)[],
): Promise<Row<Column>[]> {
  const read = (addedAs: "double" | "decimal") =>
    session.rows<Row<Column>>(figuresIn(counted, addedAs), [...places]);
  const rows = await read("double");
  const isExact = rows.every((row) => counted.columns.every((column) => row[column] < MOST_EXACT));
  return isExact ? rows : read("decimal");
}

/**
 * The rollups are summed by themselves first, and what is few then is put together with the others: by quarters of an hour, in
 * whose order they lie, or by buckets where groups are told apart.
 */
function figuresIn(
  { table, columns, group, others }: Counted<string>,
  addedAs: "double" | "decimal",
): string {
  const [named, byGroup] = group === null ? ["", ""] : [`${group}, `, ", grouped"];
  const added = (column: string) => (addedAs === "double" ? `SUM(${column} + 0e0)` : `SUM(${column})`);
  const firstSums = columns.map((column) => `${added(column)} AS ${column}`).join(", ");
  const sums = columns.map((column) => `CAST(SUM(${column}) AS SIGNED) AS ${column}`).join(", ");
  return `
    SELECT (starts_at_ms - ?) DIV ? AS bucket, ${group ?? "NULL"} AS grouped, ${sums} FROM (
      SELECT MIN(starts_at_ms) AS starts_at_ms, ${named}${firstSums}
      FROM ${table} WHERE account_id = ? AND starts_at_ms >= ? AND starts_at_ms < ?
      GROUP BY ${group === null ? "starts_at_ms" : `(starts_at_ms - ?) DIV ?, ${group}`}
      UNION ALL SELECT starts_at_ms, ${named}${columns.join(", ")} FROM (${others}) others
    ) counted
    GROUP BY bucket${byGroup} ORDER BY bucket${byGroup}`;
}

/** What {@link figuresIn} is asked with, before what the others are. */
function placesIn({ accountId, run, groupBy }: FiguresQuery<string>): (AccountId | number)[] {
  const { fromMs, toMs, lengthMs } = run;
  const bucket = [fromMs, lengthMs];
  return [...bucket, accountId, fromMs, toMs, ...(groupBy === null ? [] : bucket)];
}

function groupOf({ bucket, grouped }: { bucket: bigint; grouped: string | null }, { firstBucket }: Run) {
  return { bucket: firstBucket + Number(bucket), group: grouped };
}
