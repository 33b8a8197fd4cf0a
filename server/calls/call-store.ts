import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { type Parameter, placeholders, type Session } from "../database/database.ts";
import { caseOf, valuesOf } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId, CallId, KeyId } from "../ids.ts";
import type { TokenPrices } from "../models/prices.ts";
import { type Microcents, microcents } from "../money/microcents.ts";
import type { BillItem } from "./bill.ts";
import { type BillColumns, type BilledCall, findBillItems, toBill, writeBills } from "./bill-store.ts";
import type { Call, CallOutcome, RunningHold, UsageRecord } from "./call.ts";
import type { TokenCounts, TokenUsage } from "./token-usage.ts";

/** How a call's row is when it has ended. */
export interface EndedCall extends BilledCall {
  readonly outcome: CallOutcome;
  readonly estimated: boolean;
  readonly usage: TokenUsage;
  readonly amountMicrocents: Microcents;
  readonly upstreamRequestId: string | null;
}

/** How far a call has come that still runs. */
export interface CallProgress extends BilledCall {
  readonly usage: TokenUsage;
  readonly estimated: boolean;
}

/** A call whose lease has run out, with what was recorded of it. */
export interface AbandonedCall {
  readonly callId: CallId;
  readonly usage: TokenCounts;
  readonly estimated: boolean;
  /** What was recorded item by item; null: the tokens at the prices say all. */
  readonly items: readonly BillItem[] | null;
  readonly accountId: AccountId;
  readonly prices: TokenPrices;
  readonly holdMicrocents: Microcents;
}

/** One of the calls is not running any more, or never was; nothing was changed. */
export class CallNotRunningError extends Error {
  constructor(callIds: readonly CallId[]) {
    super(`Not every call is running of ${callIds.join(", ")}.`);
    this.name = "CallNotRunningError";
  }
}

interface TokenColumns {
  input_tokens: bigint;
  output_tokens: bigint;
  cache_write_tokens: bigint;
  cache_read_tokens: bigint;
}

/** Writes calls that begin; one of these ids that is there already is a duplicate key. */
export async function insertCalls(
  tx: Transaction,
  calls: readonly Call[],
  leaseExpiresAtMs: number,
): Promise<void> {
  const { sql, values } = valuesOf(
    calls.map(({ model: { modelId, prices }, ...call }) => [
      call.callId,
      call.accountId,
      call.keyId,
      modelId,
      prices.inputMicrocents,
      prices.outputMicrocents,
      prices.cacheWriteMicrocents,
      prices.cacheReadMicrocents,
      call.requestId,
      call.holdMicrocents,
      call.createdAtMs,
      leaseExpiresAtMs,
    ]),
  );
  const inserted = await tx.change(
    `INSERT INTO calls (call_id, account_id, key_id, model_id, input_price_microcents, output_price_microcents,
       cache_write_price_microcents, cache_read_price_microcents, request_id, hold_microcents, created_at_ms,
       lease_expires_at_ms) ${sql}`,
    values,
  );
  if (inserted !== calls.length) throw new Error("Not every call was written.");
}

/** Renews the leases of calls and writes how far they have come. @throws {CallNotRunningError} */
export async function updateProgress(
  tx: Transaction,
  progress: readonly CallProgress[],
  leaseExpiresAtMs: number,
): Promise<void> {
  await updateRunning(
    tx,
    progress.map(({ callId, usage, estimated }) => [callId, { ...tokenColumns(usage), estimated }]),
    { lease_expires_at_ms: leaseExpiresAtMs },
  );
  await writeBills(tx, progress);
}

/** Ends calls and takes their row locks. @throws {CallNotRunningError} */
export async function endCalls(tx: Transaction, ended: readonly EndedCall[], nowMs: number): Promise<void> {
  await updateRunning(
    tx,
    ended.map(({ callId, usage, ...call }) => [
      callId,
      {
        ...tokenColumns(usage),
        outcome: call.outcome,
        estimated: call.estimated,
        amount_microcents: call.amountMicrocents,
        upstream_request_id: call.upstreamRequestId,
      },
    ]),
    { ended_at_ms: nowMs, lease_expires_at_ms: null },
  );
  await writeBills(tx, ended);
}

/** Sets columns of calls that run: some to a value for each call, some to the same for all. */
async function updateRunning(
  session: Session,
  calls: readonly (readonly [CallId, Readonly<Record<string, Parameter>>])[],
  same: Readonly<Record<string, Parameter>>,
): Promise<void> {
  const callIds = calls.map(([callId]) => callId);
  const columns = Object.keys(calls[0]?.[1] ?? {}).map((column) => {
    const each = caseOf(
      "call_id",
      calls.map(([callId, values]) => [callId, values[column] ?? null]),
    );
    return { sql: `${column} = ${each.sql}`, values: each.values };
  });
  const assignments = [
    ...columns.map(({ sql }) => sql),
    ...Object.keys(same).map((column) => `${column} = ?`),
  ];
  const changed = await session.change(
    `UPDATE calls SET ${assignments.join(", ")} WHERE call_id IN (${placeholders(callIds)}) AND outcome IS NULL`,
    [...columns.flatMap(({ values }) => values), ...Object.values(same), ...callIds],
  );
  if (changed !== calls.length) throw new CallNotRunningError(callIds);
}

/** What a row says is held for its call. */
export interface RowHold {
  readonly holdMicrocents: Microcents;
  readonly isRunning: boolean;
}

/** What their rows say is held for calls, with their row locks. */
export async function lockHolds(
  tx: Transaction,
  callIds: readonly CallId[],
): Promise<ReadonlyMap<CallId, RowHold>> {
  const ids = paddedToPowerOfTwo(callIds);
  const rows = await tx.rows<{ call_id: CallId; hold_microcents: bigint; outcome: CallOutcome | null }>(
    `SELECT call_id, hold_microcents, outcome FROM calls WHERE call_id IN (${placeholders(ids)}) FOR UPDATE`,
    ids,
  );
  return new Map(
    rows.map((row) => [
      row.call_id,
      { holdMicrocents: microcents(row.hold_microcents), isRunning: row.outcome === null },
    ]),
  );
}

/** Changes what their rows say is held for calls that run. @throws {CallNotRunningError} */
export async function updateHolds(
  tx: Transaction,
  holds: readonly { readonly callId: CallId; readonly holdMicrocents: Microcents }[],
): Promise<void> {
  const padded = paddedToPowerOfTwo(holds);
  const { sql, values } = caseOf(
    "call_id",
    padded.map(({ callId, holdMicrocents }) => [callId, holdMicrocents]),
  );
  const callIds = padded.map(({ callId }) => callId);
  const changed = await tx.change(
    `UPDATE calls SET hold_microcents = ${sql} WHERE call_id IN (${placeholders(callIds)}) AND outcome IS NULL`,
    [...values, ...callIds],
  );
  if (changed !== holds.length) throw new CallNotRunningError(callIds);
}

/** What is held for an account's calls that are running, the oldest first. */
export async function listRunningHolds(
  session: Session,
  accountId: AccountId,
  limit: number,
): Promise<RunningHold[]> {
  // Few calls run at once, and an account has many that have ended.
  const rows = await session.rows<{ call_id: CallId; hold_microcents: bigint; created_at_ms: bigint }>(
    `SELECT call_id, hold_microcents, created_at_ms FROM calls FORCE INDEX (calls_lease)
     WHERE lease_expires_at_ms IS NOT NULL AND account_id = ? ORDER BY call_id LIMIT ?`,
    [accountId, limit],
  );
  return rows.map((row) => ({
    callId: row.call_id,
    amountMicrocents: microcents(row.hold_microcents),
    createdAtMs: Number(row.created_at_ms),
  }));
}

/** Calls whose lease has run out, the longest ago first. */
export async function findAbandoned(session: Session, nowMs: number, limit: number): Promise<CallId[]> {
  const rows = await session.rows<{ call_id: CallId }>(
    "SELECT call_id FROM calls WHERE lease_expires_at_ms <= ? ORDER BY lease_expires_at_ms LIMIT ?",
    [nowMs, limit],
  );
  return rows.map(({ call_id }) => call_id);
}

/** Those of the calls whose lease is still run out, with their row locks, sorted by account. */
export async function lockAbandoned(
  tx: Transaction,
  callIds: readonly CallId[],
  nowMs: number,
): Promise<AbandonedCall[]> {
  const rows = await tx.rows<LapsedRow>(
    `SELECT call_id, account_id, input_price_microcents, output_price_microcents, cache_write_price_microcents,
       cache_read_price_microcents, input_tokens, output_tokens, cache_write_tokens, cache_read_tokens, estimated,
       hold_microcents, itemized
     FROM calls WHERE call_id IN (${placeholders(callIds)}) AND lease_expires_at_ms <= ?
     ORDER BY account_id, call_id FOR UPDATE`,
    [...callIds, nowMs],
  );
  const items = await findBillItems(tx, itemizedOf(rows));
  return rows.map((row) => ({
    callId: row.call_id,
    accountId: row.account_id,
    items: row.itemized === 1 ? (items.get(row.call_id) ?? []) : null,
    prices: {
      inputMicrocents: microcents(row.input_price_microcents),
      outputMicrocents: microcents(row.output_price_microcents),
      cacheWriteMicrocents: microcents(row.cache_write_price_microcents),
      cacheReadMicrocents: microcents(row.cache_read_price_microcents),
    },
    usage: toUsage(row),
    estimated: row.estimated === 1,
    holdMicrocents: microcents(row.hold_microcents),
  }));
}

interface LapsedRow extends TokenColumns {
  call_id: CallId;
  account_id: AccountId;
  input_price_microcents: bigint;
  output_price_microcents: bigint;
  cache_write_price_microcents: bigint;
  cache_read_price_microcents: bigint;
  estimated: number;
  hold_microcents: bigint;
  itemized: number;
}

/** Most calls have no items, and cost no query for them. */
function itemizedOf(rows: readonly { call_id: CallId; itemized: number }[]): CallId[] {
  return rows.filter(({ itemized }) => itemized === 1).map(({ call_id }) => call_id);
}

/** An account's calls, newest first. @param before only calls older than this one. */
export async function listCalls(
  session: Session,
  accountId: AccountId,
  limit: number,
  before?: CallId,
): Promise<UsageRecord[]> {
  // Left to itself MariaDB walks to the page from the account's newest call.
  const rows = await session.rows<UsageRow>(
    `SELECT c.call_id, c.account_id, c.key_id, c.model_id, c.outcome, c.estimated, c.input_tokens, c.output_tokens,
       c.cache_write_tokens, c.cache_read_tokens, c.amount_microcents, e.balance_after_microcents, c.request_id,
       c.upstream_request_id, c.created_at_ms, c.ended_at_ms, c.itemized, c.speed, c.inference_geo, c.service_tier, c.unpriced
     FROM calls c FORCE INDEX (calls_account) LEFT JOIN ledger_entries e
       ON e.account_id = c.account_id AND e.type = 'call' AND e.reference = CAST(c.call_id AS BINARY)
     WHERE c.account_id = ?${before === undefined ? "" : " AND c.call_id < ?"} ORDER BY c.call_id DESC LIMIT ?`,
    [accountId, ...(before === undefined ? [] : [before]), limit],
  );
  const items = await findBillItems(session, itemizedOf(rows));
  return rows.map((row) => ({
    callId: row.call_id,
    accountId: row.account_id,
    keyId: row.key_id,
    modelId: row.model_id,
    outcome: row.outcome,
    estimated: row.estimated === 1,
    usage: toUsage(row),
    bill: toBill(row, items.get(row.call_id) ?? []),
    amountMicrocents: microcents(row.amount_microcents),
    balanceAfterMicrocents:
      row.balance_after_microcents === null ? null : microcents(row.balance_after_microcents),
    requestId: row.request_id,
    upstreamRequestId: row.upstream_request_id,
    createdAtMs: Number(row.created_at_ms),
    endedAtMs: row.ended_at_ms === null ? null : Number(row.ended_at_ms),
  }));
}

interface UsageRow extends TokenColumns, BillColumns {
  call_id: CallId;
  account_id: AccountId;
  key_id: KeyId;
  model_id: string;
  outcome: CallOutcome | null;
  estimated: number;
  amount_microcents: bigint;
  balance_after_microcents: bigint | null;
  request_id: string;
  upstream_request_id: string | null;
  created_at_ms: bigint;
  ended_at_ms: bigint | null;
}

/** How many calls are running, and how many of them have lost their lease. */
export interface UnfinishedCalls {
  readonly running: number;
  readonly abandoned: number;
}

/** Counts the calls that are running, in whatever process. */
export async function countUnfinished(session: Session, nowMs: number): Promise<UnfinishedCalls> {
  const [row] = await session.rows<Record<keyof UnfinishedCalls, bigint>>(
    `SELECT COUNT(*) AS running, COUNT(CASE WHEN lease_expires_at_ms <= ? THEN 1 END) AS abandoned
     FROM calls WHERE lease_expires_at_ms IS NOT NULL`,
    [nowMs],
  );
  if (row === undefined) throw new Error("Counting gave no row.");
  return { running: Number(row.running), abandoned: Number(row.abandoned) };
}

function tokenColumns(usage: TokenCounts): Record<keyof TokenColumns, number> {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    cache_read_tokens: usage.cacheReadTokens,
  };
}

function toUsage(row: TokenColumns): TokenCounts {
  return {
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    cacheWriteTokens: Number(row.cache_write_tokens),
    cacheReadTokens: Number(row.cache_read_tokens),
  };
}
