import type { Session } from "../database/database.ts";
import { inPowerOfTwoChunks, valuesOf } from "../database/many-rows.ts";
import type { UserId } from "../ids.ts";
import { deletePasskeys } from "./passkey-store.ts";
import type { SecondFactor } from "./session.ts";

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

export async function deleteTotpSecret(session: Session, userId: UserId): Promise<void> {
  await session.change("DELETE FROM totp_secrets WHERE user_id = ?", [userId]);
}

/** Takes a user's second factors away, with the recovery codes. */
export async function deleteFactors(session: Session, userId: UserId): Promise<void> {
  await deleteTotpSecret(session, userId);
  await deletePasskeys(session, userId);
  await replaceRecoveryCodes(session, userId, []);
}

/** Takes the recovery codes of a user away who has no second factor any more. */
export async function deleteIdleRecoveryCodes(session: Session, userId: UserId): Promise<void> {
  if ((await findSecondFactors(session, userId)).length === 0)
    await replaceRecoveryCodes(session, userId, []);
}

/** Columns that say which second factors a user has; `toSecondFactors` reads them. @param userId what names the user in SQL */
export function secondFactorColumns(userId: string): string {
  return `EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = ${userId} AND t.confirmed_at_ms IS NOT NULL) AS has_totp,
    EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = ${userId}) AS has_passkeys`;
}

export interface SecondFactorsRow {
  has_totp: bigint;
  has_passkeys: bigint;
}

export function toSecondFactors({ has_totp, has_passkeys }: SecondFactorsRow): SecondFactor[] {
  return [
    ...(Number(has_totp) === 1 ? ["totp" as const] : []),
    ...(Number(has_passkeys) === 1 ? ["passkey" as const] : []),
  ];
}

/** The second factors that a user has. */
export async function findSecondFactors(session: Session, userId: UserId): Promise<SecondFactor[]> {
  const sql = `SELECT ${secondFactorColumns("u.user_id")} FROM users u WHERE u.user_id = ?`;
  const [row] = await session.rows<SecondFactorsRow>(sql, [userId]);
  return row === undefined ? [] : toSecondFactors(row);
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
