import type { SessionId, UserId } from "../../server/ids.ts";
import type { SignedIn } from "../../server/people/session.ts";

/** Somebody who has just signed in, and is nothing yet anywhere. No two values are the same. */
export const SOMEBODY: SignedIn = {
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
    email: "own@people.example",
    name: "Own name",
    createdAtMs: 1_700_000_105_000,
  },
  memberships: [],
  operatorRole: null,
  secondFactors: ["totp", "passkey"],
};
