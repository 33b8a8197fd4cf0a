import type { Accounts } from "../accounts/accounts.ts";
import type { ActivityEntry } from "../activity/activity-entry.ts";
import { type ActivityFilter, listActivity } from "../activity/activity-store.ts";
import type { UsageRecord } from "../calls/call.ts";
import { listCalls } from "../calls/call-store.ts";
import type { Database } from "../database/database.ts";
import { InvalidFieldError } from "../errors.ts";
import { type AccountId, firstIdAt } from "../ids.ts";
import { entriesBefore } from "../ledger/entries-before.ts";
import type { LedgerEntry } from "../ledger/ledger-entry.ts";
import { listEntriesAfter } from "../ledger/ledger-store.ts";
import type { Order } from "../orders/order.ts";
import { listOrders } from "../orders/order-store.ts";
import type { Period } from "../statistics/buckets.ts";
import { type Cell, csvLine } from "./csv.ts";

/** What exports need. */
export interface ExportsDependencies {
  readonly database: Database;
  readonly accounts: Pick<Accounts, "get">;
  /** How many rows are read at a time; 1000 when not given. */
  readonly pageSize?: number;
}

export type Exports = ReturnType<typeof createExports>;

/** The columns of a file, by their headings. */
type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

const PAGE_SIZE = 1_000;
/** An id tells when its order or call was made, by the clock of its machine: at most so much away from the shop's. */
const CLOCK_SPAN_MS = 24 * 60 * 60_000;

/**
 * Files of an account's rows as CSV: a heading and a line for each row, times in ISO 8601 UTC, amounts in USD. They come in pieces
 * as their reader takes them, a page of rows each, and are as long as it takes.
 * @throws {NotFoundError} no such account, and {InvalidFieldError} no period, with the first piece.
 */
export function createExports({ database, accounts, pageSize = PAGE_SIZE }: ExportsDependencies) {
  async function check(accountId: AccountId, { fromMs, toMs }: Period): Promise<void> {
    if (fromMs >= toMs) throw new InvalidFieldError("to", "The period ends before it begins.");
    await accounts.get(accountId);
  }

  return {
    /**
     * Ledger entries, oldest first, without a gap: files of periods that follow each other hold each entry once, and each
     * month's those of its statement. See {@link entriesBefore} for what is late. Operators get their own notes, buyers do not.
     */
    async *ledger(
      accountId: AccountId,
      period: Period,
      reader: "buyer" | "operator",
    ): AsyncGenerator<string> {
      const columns = reader === "operator" ? NOTED_ENTRY_COLUMNS : ENTRY_COLUMNS;
      await check(accountId, period);
      yield heading(columns);
      let after = await entriesBefore(database, accountId, period.fromMs);
      const upTo = await entriesBefore(database, accountId, period.toMs);
      while (after < upTo) {
        const entries = await listEntriesAfter(database, accountId, { after, upTo }, pageSize);
        yield lines(columns, entries);
        after = BigInt(entries.at(-1)?.sequence ?? upTo);
      }
    },

    /** Orders that were made in the period, whatever became of them, newest first; without their codes. */
    async *orders(accountId: AccountId, period: Period): AsyncGenerator<string> {
      await check(accountId, period);
      yield* newestFirst("ord", period, {
        columns: ORDER_COLUMNS,
        read: (before) => listOrders(database, { accountId, before }, pageSize),
        idOf: ({ orderId }) => orderId,
      });
    },

    /** Calls that began in the period, also those that run, newest first. */
    async *calls(accountId: AccountId, period: Period): AsyncGenerator<string> {
      await check(accountId, period);
      yield* newestFirst("call", period, {
        columns: CALL_COLUMNS,
        read: (before) => listCalls(database, accountId, pageSize, before),
        idOf: ({ callId }) => callId,
      });
    },

    /** What the account's people did in the period, newest first. */
    async *activity(
      accountId: AccountId,
      period: Period,
      filter: Pick<ActivityFilter, "action" | "userId"> = {},
    ): AsyncGenerator<string> {
      await check(accountId, period);
      yield heading(ACTIVITY_COLUMNS);
      let last: ActivityEntry | undefined;
      do {
        const query = { ...filter, ...period, before: last };
        const entries = await listActivity(database, accountId, query, pageSize);
        yield lines(ACTIVITY_COLUMNS, entries);
        last = entries.length < pageSize ? undefined : entries.at(-1);
      } while (last !== undefined);
    },
  };
}

const ENTRY_COLUMNS: Columns<LedgerEntry> = {
  number: ({ sequence }) => sequence,
  created_at: ({ createdAtMs }) => isoTime(createdAtMs),
  type: ({ type }) => type,
  amount_usd: ({ amountMicrocents }) => amountMicrocents,
  balance_usd: ({ balanceAfterMicrocents }) => balanceAfterMicrocents,
  reference: ({ reference }) => reference,
};

const NOTED_ENTRY_COLUMNS: Columns<LedgerEntry> = { ...ENTRY_COLUMNS, note: ({ note }) => note };

const ORDER_COLUMNS: Columns<Order> = {
  order_id: ({ orderId }) => orderId,
  external_order_id: ({ externalOrderId }) => externalOrderId,
  created_at: ({ createdAtMs }) => isoTime(createdAtMs),
  status: ({ status }) => status,
  error_code: ({ errorCode }) => errorCode,
  product_id: ({ productId }) => productId,
  product_name: ({ productName }) => productName,
  quantity: ({ qty }) => qty,
  unit_price_usd: ({ unitPriceMicrocents }) => unitPriceMicrocents,
  amount_usd: ({ amountMicrocents }) => amountMicrocents,
  key_id: ({ keyId }) => keyId,
  delivered_at: ({ deliveredAtMs }) => isoTime(deliveredAtMs),
  refunded_at: ({ refundedAtMs }) => isoTime(refundedAtMs),
};

const CALL_COLUMNS: Columns<UsageRecord> = {
  call_id: ({ callId }) => callId,
  created_at: ({ createdAtMs }) => isoTime(createdAtMs),
  ended_at: ({ endedAtMs }) => isoTime(endedAtMs),
  model: ({ modelId }) => modelId,
  outcome: ({ outcome }) => outcome ?? "running",
  estimated: ({ estimated }) => String(estimated),
  input_tokens: ({ usage }) => usage.inputTokens,
  output_tokens: ({ usage }) => usage.outputTokens,
  cache_write_tokens: ({ usage }) => usage.cacheWriteTokens,
  cache_read_tokens: ({ usage }) => usage.cacheReadTokens,
  amount_usd: ({ amountMicrocents }) => amountMicrocents,
  balance_usd: ({ balanceAfterMicrocents }) => balanceAfterMicrocents,
  key_id: ({ keyId }) => keyId,
  request_id: ({ requestId }) => requestId,
};

const ACTIVITY_COLUMNS: Columns<ActivityEntry> = {
  created_at: ({ createdAtMs }) => isoTime(createdAtMs),
  action: ({ action }) => action,
  user_id: ({ userId }) => userId,
  email: ({ email }) => email,
  target_id: ({ targetId }) => targetId,
  target_name: ({ targetName }) => targetName,
  address: ({ address }) => address,
};

/** Rows whose ids tell when they were made. */
interface RowsById<Row, Id> {
  readonly columns: Columns<Row>;
  /** The next page of those before an id, newest first. */
  read(before: Id): Promise<readonly Row[]>;
  idOf(row: Row): Id;
}

async function* newestFirst<Kind extends "ord" | "call", Row extends { readonly createdAtMs: number }>(
  kind: Kind,
  { fromMs, toMs }: Period,
  { columns, read, idOf }: RowsById<Row, `${Kind}_${string}`>,
): AsyncGenerator<string> {
  yield heading(columns);
  const oldest = firstIdAt(kind, Math.max(0, fromMs - CLOCK_SPAN_MS));
  for (let before = firstIdAt(kind, toMs + CLOCK_SPAN_MS); before > oldest; ) {
    const rows = await read(before);
    const wanted = rows.filter(({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < toMs);
    yield lines(columns, wanted);
    const last = rows.at(-1);
    before = last === undefined ? oldest : idOf(last);
  }
}

function heading(columns: Columns<never>): string {
  return csvLine(Object.keys(columns));
}

function lines<Row>(columns: Columns<Row>, rows: readonly Row[]): string {
  const cells = Object.values(columns);
  return rows.map((row) => csvLine(cells.map((cell) => cell(row)))).join("");
}

function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
