import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import { placeholders, type Session } from "../database/database.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId, KeyId } from "../ids.ts";
import { optionalMicrocents } from "../money/microcents.ts";
import { type Caller, effectiveCaps, type FormerSecret, type KeyKind, type KeyStatus } from "./api-key.ts";

/** Whom a secret belongs to, for as long as it works. */
export interface KnownSecret {
  readonly caller: Caller;
  /** null: until its key is revoked or its account suspended. */
  readonly worksUntilMs: number | null;
  /** When the key was used last, as it is recorded. */
  readonly lastUsedAtMs: number | null;
}

interface CallerRow {
  secret_hash: Buffer;
  works_until_ms: bigint | null;
  last_used_at_ms: bigint | null;
  key_id: KeyId;
  account_id: AccountId;
  kind: KeyKind;
  order_cap_microcents: bigint | null;
  daily_cap_microcents: bigint | null;
  order_cap_ceiling_microcents: bigint | null;
  daily_cap_ceiling_microcents: bigint | null;
  rpm_limit: number;
  calls_in_flight_limit: number | null;
  lowers_max_tokens: number;
}

const CALLER_COLUMNS = `k.last_used_at_ms, k.key_id, k.account_id, k.kind, k.order_cap_microcents, k.daily_cap_microcents,
  COALESCE(k.order_cap_ceiling_microcents, a.order_cap_ceiling_microcents) AS order_cap_ceiling_microcents,
  COALESCE(k.daily_cap_ceiling_microcents, a.daily_cap_ceiling_microcents) AS daily_cap_ceiling_microcents,
  a.rpm_limit, a.calls_in_flight_limit, a.lowers_max_tokens`;

/**
 * Whom the hashes of secrets belong to; null where there is no such secret, its key is revoked, or its account suspended. Whether
 * they still work at this moment is not looked at.
 */
export async function findSecrets(
  session: Session,
  secretHashes: readonly Buffer[],
): Promise<(KnownSecret | null)[]> {
  const wanted = paddedToPowerOfTwo(secretHashes);
  const rows = await session.rows<CallerRow>(
    `SELECT k.secret_hash, k.expires_at_ms AS works_until_ms, ${CALLER_COLUMNS}
     FROM api_keys k JOIN accounts a ON a.account_id = k.account_id
     WHERE k.secret_hash IN (${placeholders(wanted)}) AND k.status = 'active' AND a.status = 'active'
     UNION ALL
     SELECT s.secret_hash, LEAST(s.works_until_ms, COALESCE(k.expires_at_ms, s.works_until_ms)), ${CALLER_COLUMNS}
     FROM former_secrets s JOIN api_keys k ON k.key_id = s.key_id JOIN accounts a ON a.account_id = k.account_id
     WHERE s.secret_hash IN (${placeholders(wanted)}) AND k.status = 'active' AND a.status = 'active'`,
    [...wanted, ...wanted],
  );
  const known = new Map(rows.map((row) => [row.secret_hash.toString("latin1"), toKnownSecret(row)]));
  return secretHashes.map((hash) => known.get(hash.toString("latin1")) ?? null);
}

/** A key's present secret and what says whether it works. */
export interface LockedKey {
  readonly status: KeyStatus;
  readonly expiresAtMs: number | null;
  readonly secretHash: Buffer;
  readonly preview: string;
}

/** Locks a key until the transaction ends; null when there is none. */
export async function lockKey(tx: Transaction, keyId: KeyId): Promise<LockedKey | null> {
  const [row] = await tx.rows<{
    status: KeyStatus;
    expires_at_ms: bigint | null;
    secret_hash: Buffer;
    preview: string;
  }>("SELECT status, expires_at_ms, secret_hash, preview FROM api_keys WHERE key_id = ? FOR UPDATE", [keyId]);
  if (row === undefined) return null;
  const expiresAtMs = row.expires_at_ms === null ? null : Number(row.expires_at_ms);
  return { status: row.status, expiresAtMs, secretHash: row.secret_hash, preview: row.preview };
}

/** Puts a new secret in the place of the one that a locked key has. */
export async function updateSecret(
  tx: Transaction,
  keyId: KeyId,
  secretHash: Buffer,
  preview: string,
): Promise<void> {
  await tx.change("UPDATE api_keys SET secret_hash = ?, preview = ? WHERE key_id = ?", [
    secretHash,
    preview,
    keyId,
  ]);
}

/** Keeps a secret that was replaced. */
export async function insertFormerSecret(
  tx: Transaction,
  keyId: KeyId,
  secretHash: Buffer,
  { preview, replacedAtMs, worksUntilMs }: FormerSecret,
): Promise<void> {
  await tx.change(
    "INSERT INTO former_secrets (secret_hash, key_id, preview, replaced_at_ms, works_until_ms) VALUES (?, ?, ?, ?, ?)",
    [secretHash, keyId, preview, replacedAtMs, worksUntilMs],
  );
}

/** Lets no former secret of a key work for longer than that. */
export async function shortenOverlaps(tx: Transaction, keyId: KeyId, untilMs: number): Promise<void> {
  await tx.change("UPDATE former_secrets SET works_until_ms = ? WHERE key_id = ? AND works_until_ms > ?", [
    untilMs,
    keyId,
    untilMs,
  ]);
}

/** Forgets the former secrets of a key that work no longer than that; null: all. */
export async function deleteFormerSecrets(
  session: Session,
  keyId: KeyId,
  untilMs: number | null,
): Promise<void> {
  await session.change(
    "DELETE FROM former_secrets WHERE key_id = ? AND works_until_ms <= COALESCE(?, works_until_ms)",
    [keyId, untilMs],
  );
}

function toKnownSecret(row: CallerRow): KnownSecret {
  const caps = effectiveCaps({
    orderCapMicrocents: optionalMicrocents(row.order_cap_microcents),
    dailyCapMicrocents: optionalMicrocents(row.daily_cap_microcents),
    orderCapCeilingMicrocents: optionalMicrocents(row.order_cap_ceiling_microcents),
    dailyCapCeilingMicrocents: optionalMicrocents(row.daily_cap_ceiling_microcents),
  });
  return {
    caller: {
      keyId: row.key_id,
      accountId: row.account_id,
      kind: row.kind,
      rpmLimit: row.rpm_limit,
      callsInFlightLimit: row.calls_in_flight_limit,
      lowersMaxTokens: row.lowers_max_tokens === 1,
      ...caps,
    },
    worksUntilMs: row.works_until_ms === null ? null : Number(row.works_until_ms),
    lastUsedAtMs: row.last_used_at_ms === null ? null : Number(row.last_used_at_ms),
  };
}
