import type { AccountId, SessionId, UserId } from "../../../server/ids.ts";
import type { SignedIn } from "../../../server/people/session.ts";

/** The account that the document's examples are about. */
export const ACCOUNT_ID = "acc_01938c8e6f2b7c3e9a4d5f6071829304" as AccountId;
/** One of its keys. */
export const KEY_ID = "key_01938c8e6f2b7c3e9a4d5f6071829305";

/** An owner of that account, who has just signed in. No two values are the same. */
export const SIGNED_IN: SignedIn = {
  session: {
    sessionId: "ses_own" as SessionId,
    userId: "usr_of_session" as UserId,
    awaitsFactor: false,
    createdAtMs: 1_700_000_101_000,
    endsAtMs: 1_700_000_102_000,
    lastSeenAtMs: 1_700_000_103_000,
    factorAtMs: 1_700_000_104_000,
    address: "192.0.2.1",
    userAgent: "Own browser",
  },
  user: {
    userId: "usr_own" as UserId,
    email: "own@buyer.example",
    name: "Own name",
    createdAtMs: 1_700_000_105_000,
  },
  memberships: [{ accountId: ACCOUNT_ID, accountName: "Own account", role: "owner" }],
  operatorRole: null,
  secondFactors: ["totp", "passkey"],
};
