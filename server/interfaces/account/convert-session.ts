import type { components } from "../../../generated/account/types.ts";
import type { ShownInvitation } from "../../people/invitations.ts";
import {
  hasRecentFactor,
  type Proof,
  type SignedIn,
  STEP_UP_MS,
  type UserSession,
} from "../../people/session.ts";
import { toApiTime } from "./convert-time.ts";

type Schemas = components["schemas"];

export function toApiSession(
  { session, user, memberships, secondFactors }: SignedIn,
  nowMs: number,
): Schemas["Session"] {
  return {
    sessionId: session.sessionId,
    userId: user.userId,
    email: user.email,
    name: user.name,
    waitsForSecondFactor: session.awaitsFactor,
    secondFactors: [...secondFactors],
    memberships: memberships.map(({ accountId, accountName, role }) => ({ accountId, accountName, role })),
    endsAt: toApiTime(session.endsAtMs),
    steppedUpUntil: hasRecentFactor(session, nowMs) ? toApiTime(session.factorAtMs + STEP_UP_MS) : null,
  };
}

export function toApiSessions(
  sessions: readonly UserSession[],
  { session: own }: SignedIn,
): Schemas["SessionList"] {
  return {
    sessions: sessions.map((session) => ({
      sessionId: session.sessionId,
      isThisOne: session.sessionId === own.sessionId,
      address: session.address,
      userAgent: session.userAgent,
      createdAt: toApiTime(session.createdAtMs),
      lastSeenAt: toApiTime(session.lastSeenAtMs),
      endsAt: toApiTime(session.endsAtMs),
    })),
  };
}

export function toApiInvitation(invitation: ShownInvitation): Schemas["Invitation"] {
  const { email, accountName, membership, hasPassword, expiresAtMs } = invitation;
  return {
    email,
    accountName,
    role: membership?.role ?? null,
    hasPassword,
    expiresAt: toApiTime(expiresAtMs),
  };
}

export function toProof({ kind, value }: Schemas["Proof"]): Proof {
  return kind === "password" ? { kind, password: value } : { kind, code: value };
}
