import type { Session } from "../database/database.ts";
import type { AccountId, InvitationId } from "../ids.ts";
import { emailKey, type Invitation, type OperatorRole, type Role } from "./person.ts";

interface InvitationRow {
  invitation_id: InvitationId;
  email: string;
  purpose: Purpose;
  account_id: AccountId | null;
  role: Role | OperatorRole | null;
  created_at_ms: bigint;
  expires_at_ms: bigint;
}

type Purpose = "membership" | "operator" | "reset";

/** Writes an invitation, known by the hash of its token. */
export async function insertInvitation(
  session: Session,
  tokenHash: Buffer,
  invitation: Invitation,
): Promise<void> {
  const { invitationId, email, membership, operatorRole, createdAtMs, expiresAtMs } = invitation;
  await session.change(
    `INSERT INTO invitations (token_hash, invitation_id, purpose, email, email_key, account_id, role, created_at_ms, expires_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      tokenHash,
      invitationId,
      purposeOf(invitation),
      email,
      emailKey(email),
      membership?.accountId ?? null,
      membership?.role ?? operatorRole,
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
    `SELECT invitation_id, email, purpose, account_id, role, created_at_ms, expires_at_ms FROM invitations
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
export async function deleteOpenInvitations(session: Session, invitation: Invitation): Promise<void> {
  await session.change(
    "DELETE FROM invitations WHERE email_key = ? AND purpose = ? AND account_id <=> ? AND used_at_ms IS NULL",
    [emailKey(invitation.email), purposeOf(invitation), invitation.membership?.accountId ?? null],
  );
}

function purposeOf({ membership, operatorRole }: Invitation): Purpose {
  if (membership !== null) return "membership";
  return operatorRole === null ? "reset" : "operator";
}

function toInvitation(row: InvitationRow): Invitation {
  const { purpose, account_id: accountId, role } = row;
  return {
    invitationId: row.invitation_id,
    email: row.email,
    membership: accountId === null || role === null ? null : { accountId, role: role as Role },
    operatorRole: purpose === "operator" ? (role as OperatorRole) : null,
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: Number(row.expires_at_ms),
  };
}
