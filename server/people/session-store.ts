import type { Session } from "../database/database.ts";
import type { AccountId, SessionId, UserId } from "../ids.ts";
import { type SecondFactorsRow, secondFactorColumns, toSecondFactors } from "./factor-store.ts";
import type { OperatorRole, Role } from "./person.ts";
import { type Audience, SESSION_LIMITS, type SignedIn, type UserSession } from "./session.ts";

interface SessionRow {
  session_id: SessionId;
  user_id: UserId;
  audience: Audience;
  awaits_factor: number;
  created_at_ms: bigint;
  expires_at_ms: bigint;
  last_seen_at_ms: bigint;
  factor_at_ms: bigint;
  address: string;
  user_agent: string;
}

/** A session with its user and what lets them in: one of their memberships, or that they are an operator. */
interface SignedInRow extends SessionRow, SecondFactorsRow {
  email: string;
  user_name: string;
  user_created_at_ms: bigint;
  account_id: AccountId | null;
  account_name: string;
  role: Role;
  operator_role: OperatorRole | null;
}

const COLUMNS = `s.session_id, s.user_id, s.audience, s.awaits_factor, s.created_at_ms, s.expires_at_ms, s.last_seen_at_ms,
  s.factor_at_ms, s.address, s.user_agent`;
/** What lets a user in, by audience. */
const GROUNDS: Readonly<Record<Audience, { readonly columns: string; readonly joins: string }>> = {
  account: {
    columns: "m.account_id, a.name AS account_name, m.role, NULL AS operator_role",
    joins: `JOIN memberships m ON m.user_id = s.user_id
       JOIN accounts a ON a.account_id = m.account_id AND a.status = 'active'`,
  },
  operator: {
    columns: "NULL AS account_id, o.role AS operator_role",
    joins: "JOIN operators o ON o.user_id = s.user_id",
  },
};
const LIVE = "s.audience = ? AND s.expires_at_ms > ? AND s.last_seen_at_ms > ?";

/** Writes a new session, known by the hash of its token. @param expiresAtMs when it ends however much it is used. */
export async function insertSession(
  session: Session,
  tokenHash: Buffer,
  audience: Audience,
  { expiresAtMs, ...of }: Omit<UserSession, "endsAtMs"> & { readonly expiresAtMs: number },
): Promise<void> {
  await session.change(
    `INSERT INTO sessions (token_hash, session_id, user_id, audience, awaits_factor, created_at_ms, expires_at_ms,
       last_seen_at_ms, factor_at_ms, address, user_agent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      tokenHash,
      of.sessionId,
      of.userId,
      audience,
      of.awaitsFactor ? 1 : 0,
      of.createdAtMs,
      expiresAtMs,
      of.lastSeenAtMs,
      of.factorAtMs,
      of.address,
      of.userAgent,
    ],
  );
}

/** Whom a token lets in at that moment; null when it is none, or its user is no member of an account that is active, or no operator. */
export async function findSignedIn(
  session: Session,
  tokenHash: Buffer,
  audience: Audience,
  nowMs: number,
): Promise<SignedIn | null> {
  const { columns, joins } = GROUNDS[audience];
  const rows = await session.rows<SignedInRow>(
    `SELECT ${COLUMNS}, u.email, u.name AS user_name, u.created_at_ms AS user_created_at_ms,
       ${columns}, ${secondFactorColumns("s.user_id")}
     FROM sessions s JOIN users u ON u.user_id = s.user_id ${joins}
     WHERE s.token_hash = ? AND ${LIVE} ORDER BY account_id`,
    [tokenHash, ...liveAt(audience, nowMs)],
  );
  const [row] = rows;
  return row === undefined ? null : toSignedIn(row, rows);
}

/** A user's sessions that live at that moment, the newest first. */
export async function listSessions(
  session: Session,
  userId: UserId,
  audience: Audience,
  nowMs: number,
): Promise<UserSession[]> {
  const rows = await session.rows<SessionRow>(
    `SELECT ${COLUMNS} FROM sessions s WHERE s.user_id = ? AND s.awaits_factor = 0 AND ${LIVE} ORDER BY s.session_id DESC`,
    [userId, ...liveAt(audience, nowMs)],
  );
  return rows.map(toUserSession);
}

/** Records that a session is used. */
export async function updateLastSeen(session: Session, sessionId: SessionId, nowMs: number): Promise<void> {
  await session.change(
    "UPDATE sessions SET last_seen_at_ms = ? WHERE session_id = ? AND last_seen_at_ms < ?",
    [nowMs, sessionId, nowMs],
  );
}

/** A session whose user has proved who they are, and its new token. */
interface ProvedSession {
  readonly tokenHash: Buffer;
  readonly expiresAtMs: number;
  readonly nowMs: number;
}

/** Ends a session's waiting for the second factor. @returns whether it was waiting. */
export async function endWaiting(
  session: Session,
  sessionId: SessionId,
  { tokenHash, expiresAtMs, nowMs }: ProvedSession,
): Promise<boolean> {
  const changed = await session.change(
    `UPDATE sessions SET token_hash = ?, awaits_factor = 0, expires_at_ms = ?, factor_at_ms = ?, last_seen_at_ms = ?
     WHERE session_id = ? AND awaits_factor = 1 AND expires_at_ms > ?`,
    [tokenHash, expiresAtMs, nowMs, nowMs, sessionId, nowMs],
  );
  return changed === 1;
}

/** Records that a session's user has proved again who they are. */
export async function updateFactorTime(session: Session, sessionId: SessionId, nowMs: number): Promise<void> {
  await session.change("UPDATE sessions SET factor_at_ms = ? WHERE session_id = ? AND awaits_factor = 0", [
    nowMs,
    sessionId,
  ]);
}

/** Ends a session of a user. @returns whether there was one. */
export async function deleteSession(
  session: Session,
  userId: UserId,
  sessionId: SessionId,
): Promise<boolean> {
  const sql = "DELETE FROM sessions WHERE session_id = ? AND user_id = ?";
  return (await session.change(sql, [sessionId, userId])) === 1;
}

/** Ends all sessions of a user. @param except but for this one. @returns how many. */
export async function deleteSessions(
  session: Session,
  userId: UserId,
  except: SessionId | null = null,
): Promise<number> {
  return session.change("DELETE FROM sessions WHERE user_id = ? AND session_id <> COALESCE(?, '')", [
    userId,
    except,
  ]);
}

/** Forgets a user's sessions that have ended by themselves. */
export async function deleteEndedSessions(session: Session, userId: UserId, nowMs: number): Promise<void> {
  await session.change("DELETE FROM sessions WHERE user_id = ? AND expires_at_ms <= ?", [userId, nowMs]);
}

function liveAt(audience: Audience, nowMs: number): [Audience, number, number] {
  return [audience, nowMs, nowMs - SESSION_LIMITS[audience].idleMs];
}

function toSignedIn(row: SignedInRow, rows: readonly SignedInRow[]): SignedIn {
  return {
    session: toUserSession(row),
    user: {
      userId: row.user_id,
      email: row.email,
      name: row.user_name,
      createdAtMs: Number(row.user_created_at_ms),
    },
    memberships: rows.flatMap(({ account_id: accountId, account_name: accountName, role }) =>
      accountId === null ? [] : [{ accountId, accountName, role }],
    ),
    operatorRole: row.operator_role,
    secondFactors: toSecondFactors(row),
  };
}

function toUserSession(row: SessionRow): UserSession {
  const lastSeenAtMs = Number(row.last_seen_at_ms);
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    awaitsFactor: row.awaits_factor === 1,
    createdAtMs: Number(row.created_at_ms),
    endsAtMs: Math.min(Number(row.expires_at_ms), lastSeenAtMs + SESSION_LIMITS[row.audience].idleMs),
    lastSeenAtMs,
    factorAtMs: Number(row.factor_at_ms),
    address: row.address,
    userAgent: row.user_agent,
  };
}
