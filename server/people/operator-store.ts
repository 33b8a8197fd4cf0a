import type { Session } from "../database/database.ts";
import type { Transaction } from "../database/transaction.ts";
import type { UserId } from "../ids.ts";
import { LastAdminError } from "./errors.ts";
import { type SecondFactorsRow, secondFactorColumns, toSecondFactors } from "./factor-store.ts";
import type { Operator, OperatorRole } from "./person.ts";

interface OperatorRow extends SecondFactorsRow {
  user_id: UserId;
  email: string;
  name: string;
  created_at_ms: bigint;
  role: OperatorRole;
}

/** The operators, by e-mail. */
export async function listOperators(session: Session): Promise<Operator[]> {
  const rows = await session.rows<OperatorRow>(
    `SELECT u.user_id, u.email, u.name, u.created_at_ms, o.role, ${secondFactorColumns("u.user_id")}
     FROM operators o JOIN users u ON u.user_id = o.user_id ORDER BY u.email_key`,
  );
  return rows.map((row) => ({
    userId: row.user_id,
    email: row.email,
    name: row.name,
    createdAtMs: Number(row.created_at_ms),
    role: row.role,
    hasSecondFactor: toSecondFactors(row).length > 0,
  }));
}

/** Makes a user an operator; one that they are already gets the role. */
export async function insertOperator(
  session: Session,
  { userId, role }: Pick<Operator, "userId" | "role">,
  nowMs: number,
): Promise<void> {
  await session.change(
    `INSERT INTO operators (user_id, role, created_at_ms) VALUES (?, ?, ?)
     ON DUPLICATE KEY UPDATE role = VALUES(role)`,
    [userId, role, nowMs],
  );
}

export async function deleteOperator(session: Session, userId: UserId): Promise<void> {
  await session.change("DELETE FROM operators WHERE user_id = ?", [userId]);
}

/** As which a user runs the shop, who is locked as such until a transaction ends; null: they do not. */
export async function findRole(session: Session, userId: UserId): Promise<OperatorRole | null> {
  const rows = await session.rows<{ role: OperatorRole }>(
    "SELECT role FROM operators WHERE user_id = ? FOR UPDATE",
    [userId],
  );
  return rows[0]?.role ?? null;
}

/**
 * Locks the admins, who are not to be one fewer when it is a user's leaving that makes them so.
 * @throws {LastAdminError} the user is the only one.
 */
export async function requireAnotherAdmin(tx: Transaction, userId: UserId): Promise<void> {
  const admins = await tx.rows<{ user_id: UserId }>(
    "SELECT user_id FROM operators WHERE role = 'admin' ORDER BY user_id FOR UPDATE",
  );
  if (admins.length === 1 && admins[0]?.user_id === userId) throw new LastAdminError();
}
