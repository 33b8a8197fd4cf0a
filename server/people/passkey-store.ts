import type { Session } from "../database/database.ts";
import { isDuplicateKey } from "../database/faults.ts";
import type { PasskeyId, SessionId, UserId } from "../ids.ts";
import type { ChallengePurpose, Passkey, StoredPasskey } from "./passkey.ts";
import { hashToken } from "./token.ts";

interface PasskeyRow {
  passkey_id: PasskeyId;
  user_id: UserId;
  credential_id: Buffer;
  public_key: Buffer;
  sign_count: bigint;
  name: string;
  created_at_ms: bigint;
  last_used_at_ms: bigint | null;
}

/** A challenge that is to be signed. */
export interface Challenge {
  readonly challenge: string;
  readonly purpose: ChallengePurpose;
  /** Whose it is; null where nobody is signed in. */
  readonly sessionId: SessionId | null;
}

const PASSKEYS = `SELECT passkey_id, user_id, credential_id, public_key, sign_count, name, created_at_ms, last_used_at_ms
  FROM passkeys`;
/** So many challenges that nobody has used are forgotten with each new one. */
const FORGOTTEN_AT_ONCE = 100;

/** A user's passkeys, the newest first. */
export async function listPasskeys(session: Session, userId: UserId): Promise<StoredPasskey[]> {
  const sql = `${PASSKEYS} WHERE user_id = ? ORDER BY passkey_id DESC`;
  return (await session.rows<PasskeyRow>(sql, [userId])).map(toStoredPasskey);
}

export async function findPasskey(
  session: Session,
  userId: UserId,
  passkeyId: PasskeyId,
): Promise<StoredPasskey | null> {
  const sql = `${PASSKEYS} WHERE passkey_id = ? AND user_id = ?`;
  const [row] = await session.rows<PasskeyRow>(sql, [passkeyId, userId]);
  return row === undefined ? null : toStoredPasskey(row);
}

/** The passkey with a credential's id in base64url, whoever's it is. */
export async function findPasskeyByCredential(
  session: Session,
  credentialId: string,
): Promise<StoredPasskey | null> {
  const sql = `${PASSKEYS} WHERE credential_hash = ?`;
  const [row] = await session.rows<PasskeyRow>(sql, [hashToken(credentialId)]);
  return row === undefined ? null : toStoredPasskey(row);
}

/** Writes a new passkey. @returns whether it did; the credential is there already otherwise. */
export async function insertPasskey(session: Session, passkey: StoredPasskey): Promise<boolean> {
  const { passkeyId, userId, credentialId, publicKey, signCount, name, createdAtMs } = passkey;
  const credentialHash = hashToken(credentialId.toString("base64url"));
  try {
    await session.change(
      `INSERT INTO passkeys (passkey_id, user_id, credential_hash, credential_id, public_key, sign_count, name, created_at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      [passkeyId, userId, credentialHash, credentialId, publicKey, signCount, name, createdAtMs],
    );
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Records that a passkey was used. @returns whether it is there, and has signed no more often than when it was read. */
export async function usePasskey(
  session: Session,
  { passkeyId, signCount }: StoredPasskey,
  newSignCount: number,
  nowMs: number,
): Promise<boolean> {
  const changed = await session.change(
    "UPDATE passkeys SET sign_count = ?, last_used_at_ms = ? WHERE passkey_id = ? AND sign_count = ?",
    [newSignCount, nowMs, passkeyId, signCount],
  );
  return changed === 1;
}

/** Gives a user's passkey another name. @returns whether there is such a one. */
export async function updatePasskeyName(
  session: Session,
  { userId, passkeyId }: Pick<Passkey, "userId" | "passkeyId">,
  name: string,
): Promise<boolean> {
  const sql = "UPDATE passkeys SET name = ? WHERE passkey_id = ? AND user_id = ?";
  return (await session.change(sql, [name, passkeyId, userId])) === 1;
}

/** Removes a user's passkey. @returns whether there was one. */
export async function deletePasskey(
  session: Session,
  { userId, passkeyId }: Pick<Passkey, "userId" | "passkeyId">,
): Promise<boolean> {
  const sql = "DELETE FROM passkeys WHERE passkey_id = ? AND user_id = ?";
  return (await session.change(sql, [passkeyId, userId])) === 1;
}

export async function deletePasskeys(session: Session, userId: UserId): Promise<void> {
  await session.change("DELETE FROM passkeys WHERE user_id = ?", [userId]);
}

/** Writes a challenge, in the place of another of its session and purpose, and forgets some that nobody has used. */
export async function putChallenge(
  session: Session,
  { challenge, purpose, sessionId }: Challenge,
  { nowMs, expiresAtMs }: { readonly nowMs: number; readonly expiresAtMs: number },
): Promise<void> {
  await session.change(`DELETE FROM passkey_challenges WHERE expires_at_ms <= ? LIMIT ${FORGOTTEN_AT_ONCE}`, [
    nowMs,
  ]);
  if (sessionId !== null)
    await session.change("DELETE FROM passkey_challenges WHERE session_id = ? AND purpose = ?", [
      sessionId,
      purpose,
    ]);
  await session.change(
    "INSERT INTO passkey_challenges (challenge_hash, purpose, session_id, expires_at_ms) VALUES (?, ?, ?, ?)",
    [hashToken(challenge), purpose, sessionId ?? "", expiresAtMs],
  );
}

/** Uses a challenge up. @returns whether it was one of this purpose and session, and is good yet. */
export async function useChallenge(
  session: Session,
  { challenge, purpose, sessionId }: Challenge,
  nowMs: number,
): Promise<boolean> {
  const changed = await session.change(
    "DELETE FROM passkey_challenges WHERE challenge_hash = ? AND purpose = ? AND session_id = ? AND expires_at_ms > ?",
    [hashToken(challenge), purpose, sessionId ?? "", nowMs],
  );
  return changed === 1;
}

function toStoredPasskey(row: PasskeyRow): StoredPasskey {
  return {
    passkeyId: row.passkey_id,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    signCount: Number(row.sign_count),
    name: row.name,
    createdAtMs: Number(row.created_at_ms),
    lastUsedAtMs: row.last_used_at_ms === null ? null : Number(row.last_used_at_ms),
  };
}
