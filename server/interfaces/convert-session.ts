import { hasRecentFactor, type SignedIn, STEP_UP_MS, type UserSession } from "../people/session.ts";
import { toApiTime } from "./convert-time.ts";

/** What every interface of pages says of who is signed in. */
export function toSessionFields({ session, user, secondFactors }: SignedIn, nowMs: number) {
  return {
    sessionId: session.sessionId,
    userId: user.userId,
    email: user.email,
    name: user.name,
    waitsForSecondFactor: session.awaitsFactor,
    secondFactors: [...secondFactors],
    endsAt: toApiTime(session.endsAtMs),
    steppedUpUntil: hasRecentFactor(session, nowMs) ? toApiTime(session.factorAtMs + STEP_UP_MS) : null,
  };
}

/** A person's sessions, which say of one that it is their own. */
export function toApiSessions(sessions: readonly UserSession[], { session: own }: SignedIn) {
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
