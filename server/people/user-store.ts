import type { Session } from "../database/database.ts";
import { isDuplicateKey } from "../database/faults.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId, UserId } from "../ids.ts";
import { LastOwnerError } from "./errors.ts";
import { type SecondFactorsRow, secondFactorColumns, toSecondFactors } from "./factor-store.ts";
import { emailKey, type Membership, type Role, type User, type UserWithMemberships } from "./person.ts";

interface UserRow {
  user_id: UserId;
  email: string;
  name: string;
  created_at_ms: bigint;
}

/** A user with one of their memberships; null where they have none. */
interface UserMembershipRow extends UserRow, SecondFactorsRow {
  account_id: AccountId | null;
  account_name: string;
  role: Role;
}

/** A user, and what their password is compared with. */
export interface KnownUser extends User {
  /** null: they have to choose one first. */
  readonly passwordHash: string | null;
}

const ASCII = /^[\x20-\x7e]*$/;
const KNOWN_USERS = "SELECT user_id, email, name, password_hash, created_at_ms FROM users";

export function findUserByEmail(session: Session, email: string): Promise<KnownUser | null> {
  return findByEmail(session, `${KNOWN_USERS} WHERE email_key = ?`, email);
}

export async function findUser(session: Session, userId: UserId): Promise<KnownUser | null> {
  return toKnownUser(await session.rows(`${KNOWN_USERS} WHERE user_id = ?`, [userId]));
}

/** Locks a user until the transaction ends: who changes password or factor, and who begins a session, is alone at it. */
export async function lockUser(tx: Transaction, userId: UserId): Promise<KnownUser | null> {
  return toKnownUser(await tx.rows(`${KNOWN_USERS} WHERE user_id = ? FOR UPDATE`, [userId]));
}

/** The same by e-mail. */
export function lockUserByEmail(tx: Transaction, email: string): Promise<KnownUser | null> {
  return findByEmail(tx, `${KNOWN_USERS} WHERE email_key = ? FOR UPDATE`, email);
}

async function findByEmail(session: Session, sql: string, email: string): Promise<KnownUser | null> {
  const key = emailKey(email);
  // Addresses are ASCII, so another is nobody's, and the column cannot be compared with it.
  if (!ASCII.test(key)) return null;
  return toKnownUser(await session.rows(sql, [key]));
}

/** Users with what they are members of, by e-mail. @param accountId only its members, and of their memberships only this one. */
export async function listUsers(
  session: Session,
  accountId: AccountId | null,
): Promise<UserWithMemberships[]> {
  const rows = await session.rows<UserMembershipRow>(
    `SELECT u.user_id, u.email, u.name, u.created_at_ms, m.account_id, a.name AS account_name, m.role,
       ${secondFactorColumns("u.user_id")}
     FROM users u LEFT JOIN memberships m ON m.user_id = u.user_id LEFT JOIN accounts a ON a.account_id = m.account_id
     ${accountId === null ? "" : "WHERE m.account_id = ?"} ORDER BY u.email_key, m.account_id`,
    accountId === null ? [] : [accountId],
  );
  return [...Map.groupBy(rows, ({ user_id }) => user_id).values()].flatMap(toUserWithMemberships);
}

/** Writes a new user. @returns whether it did; another has the e-mail otherwise. */
export async function insertUser(session: Session, user: KnownUser): Promise<boolean> {
  const { userId, email, name, passwordHash, createdAtMs } = user;
  try {
    await session.change(
      `INSERT INTO users (user_id, email, email_key, name, password_hash, created_at_ms) VALUES (?, ?, ?, ?, ?, ?)`,
      [userId, email, emailKey(email), name, passwordHash, createdAtMs],
    );
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Puts another password in the place of one (null: of none). @returns whether it did; somebody was faster otherwise. */
export async function replacePassword(
  session: Session,
  userId: UserId,
  from: string | null,
  to: string | null,
): Promise<boolean> {
  const changed = await session.change(
    "UPDATE users SET password_hash = ? WHERE user_id = ? AND password_hash <=> ?",
    [to, userId, from],
  );
  return changed === 1;
}

export async function updateUserName(session: Session, userId: UserId, name: string): Promise<void> {
  await session.change("UPDATE users SET name = ? WHERE user_id = ?", [name, userId]);
}

/** Makes a user a member of an account; one that they are already gets the role. */
export async function insertMembership(
  session: Session,
  userId: UserId,
  { accountId, role }: Pick<Membership, "accountId" | "role">,
  nowMs: number,
): Promise<void> {
  await session.change(
    `INSERT INTO memberships (user_id, account_id, role, created_at_ms) VALUES (?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE role = VALUES(role)`,
    [userId, accountId, role, nowMs],
  );
}

/** @returns whether the user was a member. */
export async function deleteMembership(
  session: Session,
  userId: UserId,
  accountId: AccountId,
): Promise<boolean> {
  const sql = "DELETE FROM memberships WHERE user_id = ? AND account_id = ?";
  return (await session.change(sql, [userId, accountId])) === 1;
}

/** Locks the owners of an account, so that no two of them leave at once. */
async function lockOwners(tx: Transaction, accountId: AccountId): Promise<UserId[]> {
  const rows = await tx.rows<{ user_id: UserId }>(
    "SELECT user_id FROM memberships WHERE account_id = ? AND role = 'owner' ORDER BY user_id FOR UPDATE",
    [accountId],
  );
  return rows.map((row) => row.user_id);
}

/**
 * Locks the owners of an account, who are not to be one fewer when it is a user's leaving that makes them so.
 * @throws {LastOwnerError} the user is the only one.
 */
export async function requireAnotherOwner(
  tx: Transaction,
  accountId: AccountId,
  userId: UserId,
): Promise<void> {
  const owners = await lockOwners(tx, accountId);
  if (owners.length === 1 && owners[0] === userId) throw new LastOwnerError();
}

/** The accounts that a user is a member of. */
export async function accountsOf(session: Session, userId: UserId): Promise<AccountId[]> {
  const rows = await session.rows<{ account_id: AccountId }>(
    "SELECT account_id FROM memberships WHERE user_id = ? ORDER BY account_id",
    [userId],
  );
  return rows.map((row) => row.account_id);
}

/** Whether a user is a member of any account. */
export async function isMember(session: Session, userId: UserId): Promise<boolean> {
  return (await session.rows("SELECT 1 FROM memberships WHERE user_id = ? LIMIT 1", [userId])).length > 0;
}

function toKnownUser([row]: (UserRow & { password_hash: string | null })[]): KnownUser | null {
  return row === undefined ? null : { ...toUser(row), passwordHash: row.password_hash };
}

function toUserWithMemberships(rows: readonly UserMembershipRow[]): UserWithMemberships[] {
  const [row] = rows;
  if (row === undefined) return [];
  const memberships = rows.flatMap(({ account_id: accountId, account_name: accountName, role }) =>
    accountId === null ? [] : [{ accountId, accountName, role }],
  );
  return [{ ...toUser(row), memberships, hasSecondFactor: toSecondFactors(row).length > 0 }];
}

function toUser(row: UserRow): User {
  return {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    createdAtMs: Number(row.created_at_ms),
  };
}
