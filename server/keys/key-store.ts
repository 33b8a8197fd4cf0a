import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { placeholders, type Session } from "../database/database.ts";
import { inPowerOfTwoChunks, valuesOf } from "../database/many-rows.ts";
import type { AccountId, KeyId } from "../ids.ts";
import { type Microcents, microcents } from "../money/microcents.ts";
import type { ApiKey, Caller, KeyCaps, KeyKind, KeyStatus } from "./api-key.ts";

interface KeyRow {
  key_id: KeyId;
  account_id: AccountId;
  kind: KeyKind;
  status: KeyStatus;
  preview: string;
  order_cap_microcents: bigint | null;
  daily_cap_microcents: bigint | null;
  created_at_ms: bigint;
}

interface CallerRow extends KeyRow {
  rpm_limit: number;
  calls_in_flight_limit: number | null;
  lowers_max_tokens: number;
}

const COLUMNS =
  "key_id, account_id, kind, status, preview, order_cap_microcents, daily_cap_microcents, created_at_ms";

export async function insertKey(session: Session, key: ApiKey, secretHash: Buffer): Promise<void> {
  await session.change(`INSERT INTO api_keys (${COLUMNS}, secret_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
    key.keyId,
    key.accountId,
    key.kind,
    key.status,
    key.preview,
    key.orderCapMicrocents,
    key.dailyCapMicrocents,
    key.createdAtMs,
    secretHash,
  ]);
}

export async function findKey(session: Session, keyId: KeyId): Promise<ApiKey | null> {
  const [row] = await session.rows<KeyRow>(`SELECT ${COLUMNS} FROM api_keys WHERE key_id = ?`, [keyId]);
  return row === undefined ? null : toKey(row);
}

/** An account's keys, oldest first. */
export async function listKeys(session: Session, accountId: AccountId): Promise<ApiKey[]> {
  const sql = `SELECT ${COLUMNS} FROM api_keys WHERE account_id = ? ORDER BY key_id`;
  return (await session.rows<KeyRow>(sql, [accountId])).map(toKey);
}

/** Whom the hashes of secrets belong to; null where there is no such key, it is revoked, or its account suspended. */
export async function findCallers(
  session: Session,
  secretHashes: readonly Buffer[],
): Promise<(Caller | null)[]> {
  const wanted = paddedToPowerOfTwo(secretHashes);
  const rows = await session.rows<CallerRow & { secret_hash: Buffer }>(
    `SELECT k.secret_hash, k.key_id, k.account_id, k.kind, k.order_cap_microcents, k.daily_cap_microcents, a.rpm_limit,
       a.calls_in_flight_limit, a.lowers_max_tokens
     FROM api_keys k JOIN accounts a ON a.account_id = k.account_id
     WHERE k.secret_hash IN (${placeholders(wanted)}) AND k.status = 'active' AND a.status = 'active'`,
    wanted,
  );
  const callers = new Map(rows.map((row) => [row.secret_hash.toString("latin1"), toCaller(row)]));
  return secretHashes.map((hash) => callers.get(hash.toString("latin1")) ?? null);
}

/** Which of some keys may not be used: they are revoked, or their accounts suspended. */
export async function findUnusableKeys(session: Session, keyIds: readonly KeyId[]): Promise<KeyId[]> {
  const unusable: KeyId[] = [];
  for (const some of inPowerOfTwoChunks(keyIds)) {
    const rows = await session.rows<{ key_id: KeyId }>(
      `SELECT k.key_id FROM api_keys k JOIN accounts a ON a.account_id = k.account_id
       WHERE k.key_id IN (${placeholders(some)}) AND (k.status <> 'active' OR a.status <> 'active')`,
      some,
    );
    unusable.push(...rows.map((row) => row.key_id));
  }
  return unusable;
}

/** Sets the caps that are given and leaves the others. */
export async function updateKeyCaps(session: Session, keyId: KeyId, caps: Partial<KeyCaps>): Promise<void> {
  const columns = {
    order_cap_microcents: caps.orderCapMicrocents,
    daily_cap_microcents: caps.dailyCapMicrocents,
  };
  const given = Object.entries(columns).filter(
    (entry): entry is [string, Microcents | null] => entry[1] !== undefined,
  );
  if (given.length === 0) return;
  const assignments = given.map(([column]) => `${column} = ?`).join(", ");
  const values = given.map(([, cap]) => cap);
  await session.change(`UPDATE api_keys SET ${assignments} WHERE key_id = ?`, [...values, keyId]);
}

/** Revokes a key that is not revoked yet. @returns whether it did. */
export async function revokeActiveKey(session: Session, keyId: KeyId, nowMs: number): Promise<boolean> {
  const sql =
    "UPDATE api_keys SET status = 'revoked', revoked_at_ms = ? WHERE key_id = ? AND status = 'active'";
  return (await session.change(sql, [nowMs, keyId])) === 1;
}

/** An amount that a key spends on a UTC day. */
export interface DailySpend {
  readonly keyId: KeyId;
  readonly day: string;
  readonly amountMicrocents: Microcents;
}

/** Adds to what keys have spent; takes the rows' locks, in the order of the list. */
export async function addDailySpends(session: Session, spends: readonly DailySpend[]): Promise<void> {
  const { sql, values } = valuesOf(
    spends.map(({ keyId, day, amountMicrocents }) => [keyId, day, amountMicrocents]),
  );
  await session.change(
    `INSERT INTO key_daily_spend (key_id, day, spent_microcents) ${sql}
     ON DUPLICATE KEY UPDATE spent_microcents = spent_microcents + VALUES(spent_microcents)`,
    values,
  );
}

/** Takes an amount out of what a key has spent on a UTC day. */
export async function reduceDailySpend(
  session: Session,
  keyId: KeyId,
  day: string,
  amountMicrocents: Microcents,
): Promise<void> {
  const changed = await session.change(
    "UPDATE key_daily_spend SET spent_microcents = spent_microcents - ? WHERE key_id = ? AND day = ?",
    [amountMicrocents, keyId, day],
  );
  if (changed !== 1) throw new Error(`There is no record of what key ${keyId} spent on ${day}.`);
}

/** What a key has spent on a UTC day; zero when there is no record. */
export async function dailySpend(session: Session, keyId: KeyId, day: string): Promise<Microcents> {
  const [row] = await session.rows<{ spent_microcents: bigint }>(
    "SELECT spent_microcents FROM key_daily_spend WHERE key_id = ? AND day = ?",
    [keyId, day],
  );
  return microcents(row?.spent_microcents ?? 0n);
}

function toKey(row: KeyRow): ApiKey {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    kind: row.kind,
    status: row.status,
    preview: row.preview,
    createdAtMs: Number(row.created_at_ms),
    ...toCaps(row),
  };
}

function toCaller(row: CallerRow): Caller {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    kind: row.kind,
    rpmLimit: row.rpm_limit,
    callsInFlightLimit: row.calls_in_flight_limit,
    lowersMaxTokens: row.lowers_max_tokens === 1,
    ...toCaps(row),
  };
}

function toCaps(row: KeyRow): KeyCaps {
  return {
    orderCapMicrocents: row.order_cap_microcents === null ? null : microcents(row.order_cap_microcents),
    dailyCapMicrocents: row.daily_cap_microcents === null ? null : microcents(row.daily_cap_microcents),
  };
}
