import type { AccountId, InvitationId, UserId } from "../ids.ts";

/** What somebody may do with an account: everything, its keys and orders, or its money and statements. */
export const ROLES = ["owner", "developer", "billing"] as const;
export type Role = (typeof ROLES)[number];

/** What somebody may do who runs the shop: look at everything; orders too; money too; everything. */
export const OPERATOR_ROLES = ["viewer", "support", "finance", "admin"] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** A person who signs in. */
export interface User {
  readonly userId: UserId;
  /** As it was written; compared without regard to case. */
  readonly email: string;
  readonly name: string;
  readonly createdAtMs: number;
}

/** That a user may act for an account. */
export interface Membership {
  readonly accountId: AccountId;
  readonly accountName: string;
  readonly role: Role;
}

/** A user with all that they are a member of, also of accounts that are suspended. */
export interface UserWithMemberships extends User {
  readonly memberships: readonly Membership[];
  readonly hasSecondFactor: boolean;
}

/** A user who runs the shop. */
export interface Operator extends User {
  readonly role: OperatorRole;
  readonly hasSecondFactor: boolean;
}

/** A link that was made for one person: it makes them a member of an account or an operator, or has them choose a new password. */
export interface Invitation {
  readonly invitationId: InvitationId;
  readonly email: string;
  /** null: it makes its user a member of nothing. */
  readonly membership: Pick<Membership, "accountId" | "role"> | null;
  /** null: it makes its user no operator. Where both are null it only has them choose a new password. */
  readonly operatorRole: OperatorRole | null;
  readonly createdAtMs: number;
  /** From when on it is refused. */
  readonly expiresAtMs: number;
}

export const MAX_EMAIL_LENGTH = 254;
export const MAX_USER_NAME_LENGTH = 200;
export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 200;
export const INVITATION_MS = 30 * 60 * 1000;

/** What an e-mail is compared by. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}

/** Whether somebody in a role may do what is for another one: an owner may do everything. */
export function mayActAs(role: Role, needed: Role): boolean {
  return role === "owner" || role === needed;
}

/** The same of operators: an admin may do everything, and everybody may look. */
export function mayOperateAs(role: OperatorRole, needed: OperatorRole): boolean {
  return role === "admin" || needed === "viewer" || role === needed;
}
