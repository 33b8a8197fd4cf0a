import type { Session } from "../database/database.ts";
import type { AccountId, InvitationId } from "../ids.ts";
import { emailKey, type Invitation, type Role } from "./person.ts";

interface InvitationRow {
  invitation_id: InvitationId;
  email: string;
  account_id: AccountId | null;
  role: Role | null;
  created_at_ms: bigint;
  expires_at_ms: bigint;
}

/** Writes an invitation, known by the hash of its token. */
export async function insertInvitation(
  session: Session,
  tokenHash: Buffer,
  { invitationId, email, membership, createdAtMs, expiresAtMs }: Invitation,
): Promise<void> {
  await session.change(
    `INSERT INTO invitations (token_hash, invitation_id, purpose, email, email_key, account_id, role, created_at_ms, expires_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      tokenHash,
      invitationId,
      membership === null ? "reset" : "membership",
      email,
      emailKey(email),
      membership?.accountId ?? null,
      membership?.role ?? null,
      createdAtMs,
      expiresAtMs,
    ],
  );
}

/** An invitation that can be used at that moment. */
export async function findOpenInvitation(
  session: Session,
  tokenHash: Buffer,
  nowMs: number,
): Promise<Invitation | null> {
  const [row] = await session.rows<InvitationRow>(
    `SELECT invitation_id, email, account_id, role, created_at_ms, expires_at_ms FROM invitations
     WHERE token_hash = ? AND used_at_ms IS NULL AND expires_at_ms > ?`,
    [tokenHash, nowMs],
  );
  return row === undefined ? null : toInvitation(row);
}

/** Uses an invitation up; takes its lock. @returns whether it could be used; nobody else can then. */
export async function useInvitation(
  session: Session,
  invitationId: InvitationId,
  nowMs: number,
): Promise<boolean> {
  const changed = await session.change(
    "UPDATE invitations SET used_at_ms = ? WHERE invitation_id = ? AND used_at_ms IS NULL AND expires_at_ms > ?",
    [nowMs, invitationId, nowMs],
  );
  return changed === 1;
}

/** Takes back what a person was invited to for the same, and has not used. */
export async function deleteOpenInvitations(
  session: Session,
  email: string,
  accountId: AccountId | null,
): Promise<void> {
  await session.change(
    "DELETE FROM invitations WHERE email_key = ? AND account_id <=> ? AND used_at_ms IS NULL",
    [emailKey(email), accountId],
  );
}

function toInvitation(row: InvitationRow): Invitation {
  const { account_id: accountId, role } = row;
  return {
    invitationId: row.invitation_id,
    email: row.email,
    membership: accountId === null || role === null ? null : { accountId, role },
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: Number(row.expires_at_ms),
  };
}
