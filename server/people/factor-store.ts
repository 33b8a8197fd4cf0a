import type { Session } from "../database/database.ts";
import { inPowerOfTwoChunks, valuesOf } from "../database/many-rows.ts";
import type { UserId } from "../ids.ts";

/** A user's secret for codes, as it is stored. */
export interface StoredTotpSecret {
  readonly userId: UserId;
  readonly ciphertext: Buffer;
  /** Whether the user has shown that their app makes its codes; it is no factor before. */
  readonly isConfirmed: boolean;
}

interface TotpRow {
  user_id: UserId;
  ciphertext: Buffer;
  confirmed_at_ms: bigint | null;
}

const TOTP_SECRETS = "SELECT user_id, ciphertext, confirmed_at_ms FROM totp_secrets";

export async function findTotpSecret(session: Session, userId: UserId): Promise<StoredTotpSecret | null> {
  const [row] = await session.rows<TotpRow>(`${TOTP_SECRETS} WHERE user_id = ?`, [userId]);
  return row === undefined ? null : toStoredTotpSecret(row);
}

/** Writes a secret that is to be confirmed, in the place of another such one. @returns whether none is confirmed. */
export async function putUnconfirmedTotpSecret(
  session: Session,
  userId: UserId,
  ciphertext: Buffer,
): Promise<boolean> {
  await session.change("DELETE FROM totp_secrets WHERE user_id = ? AND confirmed_at_ms IS NULL", [userId]);
  const inserted = await session.change(
    "INSERT IGNORE INTO totp_secrets (user_id, ciphertext, last_step) VALUES (?, ?, 0)",
    [userId, ciphertext],
  );
  return inserted === 1;
}

/** Makes the secret that is stored so a factor; its code of that step is used. @returns whether it was not one yet. */
export async function confirmTotpSecret(
  session: Session,
  { userId, ciphertext }: StoredTotpSecret,
  step: number,
  nowMs: number,
): Promise<boolean> {
  const changed = await session.change(
    `UPDATE totp_secrets SET confirmed_at_ms = ?, last_step = ?
     WHERE user_id = ? AND ciphertext = ? AND confirmed_at_ms IS NULL`,
    [nowMs, step, userId, ciphertext],
  );
  return changed === 1;
}

/** Uses the code of a step up. @returns whether it is later than every one that was used. */
export async function useTotpStep(session: Session, userId: UserId, step: number): Promise<boolean> {
  const changed = await session.change(
    "UPDATE totp_secrets SET last_step = ? WHERE user_id = ? AND confirmed_at_ms IS NOT NULL AND last_step < ?",
    [step, userId, step],
  );
  return changed === 1;
}

/** Puts recovery codes in the place of all that a user has. */
export async function replaceRecoveryCodes(
  session: Session,
  userId: UserId,
  codeHashes: readonly Buffer[],
): Promise<void> {
  await session.change("DELETE FROM recovery_codes WHERE user_id = ?", [userId]);
  for (const some of inPowerOfTwoChunks(codeHashes)) {
    const { sql, values } = valuesOf(some.map((codeHash) => [userId, codeHash]));
    await session.change(`INSERT INTO recovery_codes (user_id, code_hash) ${sql}`, values);
  }
}

/** Uses a recovery code up. @returns whether it was one. */
export async function useRecoveryCode(session: Session, userId: UserId, codeHash: Buffer): Promise<boolean> {
  const sql = "DELETE FROM recovery_codes WHERE user_id = ? AND code_hash = ?";
  return (await session.change(sql, [userId, codeHash])) === 1;
}

export async function countRecoveryCodes(session: Session, userId: UserId): Promise<number> {
  const [row] = await session.rows<{ count: bigint }>(
    "SELECT COUNT(*) AS count FROM recovery_codes WHERE user_id = ?",
    [userId],
  );
  return Number(row?.count ?? 0);
}

/** Takes a user's second factor away, with its recovery codes. */
export async function deleteFactors(session: Session, userId: UserId): Promise<void> {
  await session.change("DELETE FROM totp_secrets WHERE user_id = ?", [userId]);
  await session.change("DELETE FROM recovery_codes WHERE user_id = ?", [userId]);
}

export async function countTotpSecrets(session: Session): Promise<number> {
  const [row] = await session.rows<{ count: bigint }>("SELECT COUNT(*) AS count FROM totp_secrets");
  return Number(row?.count ?? 0);
}

/** The secrets of the next users after one, by their ids; of the first after "". */
export async function findTotpSecretsAfter(
  session: Session,
  userId: string,
  limit: number,
): Promise<StoredTotpSecret[]> {
  const sql = `${TOTP_SECRETS} WHERE user_id > ? ORDER BY user_id LIMIT ?`;
  return (await session.rows<TotpRow>(sql, [userId, limit])).map(toStoredTotpSecret);
}

/** Puts a new ciphertext in the place of another, where it is still there. */
export async function replaceTotpCiphertext(
  session: Session,
  userId: string,
  from: Buffer,
  to: Buffer,
): Promise<void> {
  await session.change("UPDATE totp_secrets SET ciphertext = ? WHERE user_id = ? AND ciphertext = ?", [
    to,
    userId,
    from,
  ]);
}

function toStoredTotpSecret(row: TotpRow): StoredTotpSecret {
  return { userId: row.user_id, ciphertext: row.ciphertext, isConfirmed: row.confirmed_at_ms !== null };
}
