import type { CapCeilings } from "../accounts/account.ts";
import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { placeholders, type Session } from "../database/database.ts";
import { isDuplicateKey } from "../database/faults.ts";
import { assignmentsOf, caseOf, inPowerOfTwoChunks, valuesOf } from "../database/many-rows.ts";
import type { AccountId, KeyId } from "../ids.ts";
import { type Microcents, microcents, optionalMicrocents } from "../money/microcents.ts";
import type { ApiKey, FormerSecret, KeyKind, KeyProperties, KeyStatus } from "./api-key.ts";

interface KeyRow {
  key_id: KeyId;
  account_id: AccountId;
  name: string | null;
  kind: KeyKind;
  status: KeyStatus;
  preview: string;
  order_cap_microcents: bigint | null;
  daily_cap_microcents: bigint | null;
  order_cap_ceiling_microcents: bigint | null;
  daily_cap_ceiling_microcents: bigint | null;
  created_at_ms: bigint;
  expires_at_ms: bigint | null;
  last_used_at_ms: bigint | null;
}

/** A key with one of its former secrets; null where it has none. */
interface KeySecretRow extends KeyRow {
  former_preview: string | null;
  replaced_at_ms: bigint;
  works_until_ms: bigint;
}

const KEYS = `SELECT k.key_id, k.account_id, k.name, k.kind, k.status, k.preview, k.order_cap_microcents,
    k.daily_cap_microcents, k.created_at_ms, k.expires_at_ms, k.last_used_at_ms,
    COALESCE(k.order_cap_ceiling_microcents, a.order_cap_ceiling_microcents) AS order_cap_ceiling_microcents,
    COALESCE(k.daily_cap_ceiling_microcents, a.daily_cap_ceiling_microcents) AS daily_cap_ceiling_microcents,
    s.preview AS former_preview, s.replaced_at_ms, s.works_until_ms
  FROM api_keys k JOIN accounts a ON a.account_id = k.account_id
    LEFT JOIN former_secrets s ON s.key_id = k.key_id AND s.works_until_ms > ?`;

/** How a new key is kept. */
interface NewKey {
  readonly secretHash: Buffer;
  readonly idempotencyKey: string | null;
}

/** Writes a new key. @returns whether it did; its account has one under the same idempotency key otherwise. */
export async function insertKey(session: Session, key: ApiKey, kept: NewKey): Promise<boolean> {
  const row = {
    key_id: key.keyId,
    account_id: key.accountId,
    name: key.name,
    kind: key.kind,
    status: key.status,
    preview: key.preview,
    order_cap_microcents: key.orderCapMicrocents,
    daily_cap_microcents: key.dailyCapMicrocents,
    created_at_ms: key.createdAtMs,
    expires_at_ms: key.expiresAtMs,
    secret_hash: kept.secretHash,
    idempotency_key: kept.idempotencyKey === null ? null : Buffer.from(kept.idempotencyKey),
  };
  const { sql, values } = valuesOf([Object.values(row)]);
  try {
    await session.change(`INSERT INTO api_keys (${Object.keys(row).join(", ")}) ${sql}`, values);
    return true;
  } catch (error) {
    if (kept.idempotencyKey !== null && isDuplicateKey(error)) return false;
    throw error;
  }
}

/** The key that an idempotency key has made in an account. */
export async function findKeyMadeBy(
  session: Session,
  accountId: AccountId,
  idempotencyKey: string,
): Promise<KeyId | null> {
  const [row] = await session.rows<{ key_id: KeyId }>(
    "SELECT key_id FROM api_keys WHERE account_id = ? AND idempotency_key = ?",
    [accountId, Buffer.from(idempotencyKey)],
  );
  return row?.key_id ?? null;
}

/** @param nowMs former secrets that have ended are left out. */
export async function findKey(session: Session, keyId: KeyId, nowMs: number): Promise<ApiKey | null> {
  const [key] = toKeys(await session.rows<KeySecretRow>(`${KEYS} WHERE k.key_id = ?`, [nowMs, keyId]));
  return key ?? null;
}

/** An account's keys, newest first. @param nowMs former secrets that have ended are left out. */
export async function listKeys(session: Session, accountId: AccountId, nowMs: number): Promise<ApiKey[]> {
  const sql = `${KEYS} WHERE k.account_id = ? ORDER BY k.key_id DESC`;
  return toKeys(await session.rows<KeySecretRow>(sql, [nowMs, accountId]));
}

/** Which of some keys may not be used: they are revoked or have expired, or their accounts are suspended. */
export async function findUnusableKeys(
  session: Session,
  keyIds: readonly KeyId[],
  nowMs: number,
): Promise<KeyId[]> {
  const unusable: KeyId[] = [];
  for (const some of inPowerOfTwoChunks(keyIds)) {
    const rows = await session.rows<{ key_id: KeyId }>(
      `SELECT k.key_id FROM api_keys k JOIN accounts a ON a.account_id = k.account_id
       WHERE k.key_id IN (${placeholders(some)})
         AND (k.status <> 'active' OR a.status <> 'active' OR k.expires_at_ms <= ?)`,
      [...some, nowMs],
    );
    unusable.push(...rows.map((row) => row.key_id));
  }
  return unusable;
}

/** Sets the properties and the key's own ceilings that are given and leaves the others. */
export async function updateKey(
  session: Session,
  keyId: KeyId,
  changes: Partial<KeyProperties & CapCeilings>,
): Promise<void> {
  const assignments = assignmentsOf({
    name: changes.name,
    expires_at_ms: changes.expiresAtMs,
    order_cap_microcents: changes.orderCapMicrocents,
    daily_cap_microcents: changes.dailyCapMicrocents,
    order_cap_ceiling_microcents: changes.orderCapCeilingMicrocents,
    daily_cap_ceiling_microcents: changes.dailyCapCeilingMicrocents,
  });
  if (assignments === null) return;
  await session.change(`UPDATE api_keys SET ${assignments.sql} WHERE key_id = ?`, [
    ...assignments.values,
    keyId,
  ]);
}

/** Revokes a key that is not revoked yet. @returns whether it did. */
export async function revokeActiveKey(session: Session, keyId: KeyId, nowMs: number): Promise<boolean> {
  const sql =
    "UPDATE api_keys SET status = 'revoked', revoked_at_ms = ? WHERE key_id = ? AND status = 'active'";
  return (await session.change(sql, [nowMs, keyId])) === 1;
}

/** Records when keys were used last, where what is recorded is at least so much older. */
export async function updateLastUses(
  session: Session,
  uses: readonly (readonly [KeyId, number])[],
  olderByMs: number,
): Promise<void> {
  for (const some of inPowerOfTwoChunks(uses.toSorted(([a], [b]) => (a < b ? -1 : 1)))) {
    const usedAt = caseOf("key_id", some);
    await session.change(
      `UPDATE api_keys SET last_used_at_ms = ${usedAt.sql}
       WHERE key_id IN (${placeholders(some)}) AND COALESCE(last_used_at_ms, 0) <= ${usedAt.sql} - ?`,
      [...usedAt.values, ...some.map(([keyId]) => keyId), ...usedAt.values, olderByMs],
    );
  }
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

/** What each of some keys has spent on a UTC day; zero when there is no record. */
export async function dailySpends(
  session: Session,
  keyIds: readonly KeyId[],
  day: string,
): Promise<Microcents[]> {
  const wanted = paddedToPowerOfTwo(keyIds);
  const rows = await session.rows<{ key_id: KeyId; spent_microcents: bigint }>(
    `SELECT key_id, spent_microcents FROM key_daily_spend WHERE key_id IN (${placeholders(wanted)}) AND day = ?`,
    [...wanted, day],
  );
  const spent = new Map(rows.map((row) => [row.key_id, row.spent_microcents]));
  return keyIds.map((keyId) => microcents(spent.get(keyId) ?? 0n));
}

/** What a key has spent on a UTC day; zero when there is no record. */
export async function dailySpend(session: Session, keyId: KeyId, day: string): Promise<Microcents> {
  const [row] = await session.rows<{ spent_microcents: bigint }>(
    "SELECT spent_microcents FROM key_daily_spend WHERE key_id = ? AND day = ?",
    [keyId, day],
  );
  return microcents(row?.spent_microcents ?? 0n);
}

function toKeys(rows: readonly KeySecretRow[]): ApiKey[] {
  const byKey = Map.groupBy(rows, ({ key_id }) => key_id).values();
  return [...byKey].flatMap(([row, ...others]) =>
    row === undefined ? [] : [toKey(row, [row, ...others].flatMap(toFormerSecrets))],
  );
}

function toFormerSecrets(row: KeySecretRow): FormerSecret[] {
  if (row.former_preview === null) return [];
  return [
    {
      preview: row.former_preview,
      replacedAtMs: Number(row.replaced_at_ms),
      worksUntilMs: Number(row.works_until_ms),
    },
  ];
}

function toKey(row: KeyRow, formerSecrets: readonly FormerSecret[]): ApiKey {
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    name: row.name,
    kind: row.kind,
    status: row.status,
    preview: row.preview,
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: row.expires_at_ms === null ? null : Number(row.expires_at_ms),
    lastUsedAtMs: row.last_used_at_ms === null ? null : Number(row.last_used_at_ms),
    orderCapMicrocents: optionalMicrocents(row.order_cap_microcents),
    dailyCapMicrocents: optionalMicrocents(row.daily_cap_microcents),
    orderCapCeilingMicrocents: optionalMicrocents(row.order_cap_ceiling_microcents),
    dailyCapCeilingMicrocents: optionalMicrocents(row.daily_cap_ceiling_microcents),
    formerSecrets: formerSecrets.toSorted((a, b) => b.replacedAtMs - a.replacedAtMs),
  };
}
