import type { AccountId, ActivityId, UserId } from "../ids.ts";

/** What people do in the account center that is recorded. */
export type Action =
  | "signed_in"
  | "session_ended"
  | "other_sessions_ended"
  | "password_changed"
  | "totp_added"
  | "totp_removed"
  | "passkey_added"
  | "passkey_renamed"
  | "passkey_removed"
  | "recovery_codes_renewed"
  | "key_created"
  | "key_changed"
  | "key_rotated"
  | "key_overlap_ended"
  | "key_revoked"
  | "codes_shown"
  | "settings_changed"
  | "member_invited"
  | "member_joined"
  | "member_removed";

/** Who does something, and from which network address. */
export interface Actor {
  readonly userId: UserId;
  readonly email: string;
  readonly address: string;
}

/** What is done, and to what. Nothing in it is secret. */
export interface Act {
  readonly action: Action;
  /** The id of the key, order, user, session or passkey; null where there is none. */
  readonly targetId?: string | null;
  /** How people know that; null where they do not. */
  readonly targetName?: string | null;
}

/** One act of one of an account's people. */
export interface ActivityEntry extends Actor {
  readonly activityId: ActivityId;
  readonly accountId: AccountId;
  /** An {@link Action}, perhaps of a later release. */
  readonly action: string;
  readonly targetId: string | null;
  readonly targetName: string | null;
  readonly createdAtMs: number;
}
