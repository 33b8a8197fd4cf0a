import type { components } from "../../../generated/operator/types.ts";
import type { InvitationLink, ShownInvitation } from "../../people/invitations.ts";
import type { OperatorRole } from "../../people/person.ts";
import {
  hasRecentFactor,
  type Proof,
  type SignedIn,
  STEP_UP_MS,
  type UserSession,
} from "../../people/session.ts";
import { mayAct } from "./may-act.ts";
import type { OperatorServices } from "./services.ts";

type Schemas = components["schemas"];

/** A moment as this interface prints it. */
function toApiTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

export function toApiSession(
  signedIn: SignedIn,
  { clock, isSecondFactorOptional }: Pick<OperatorServices, "clock" | "isSecondFactorOptional">,
): Schemas["Session"] {
  const { session, user, operatorRole, secondFactors } = signedIn;
  if (operatorRole === null) throw new Error("This is no session of the console.");
  const steppedUpUntil = hasRecentFactor(session, clock())
    ? toApiTime(session.factorAtMs + STEP_UP_MS)
    : null;
  return {
    sessionId: session.sessionId,
    userId: user.userId,
    email: user.email,
    name: user.name,
    waitsForSecondFactor: session.awaitsFactor,
    secondFactors: [...secondFactors],
    role: operatorRole,
    mayAct: mayAct(signedIn, { isSecondFactorOptional }),
    endsAt: toApiTime(session.endsAtMs),
    steppedUpUntil,
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
  const { email, operatorRole: role, hasPassword, expiresAtMs } = invitation;
  return { email, role, hasPassword, expiresAt: toApiTime(expiresAtMs) };
}

export function toApiInvitationLink(
  { email, link, expiresAtMs }: InvitationLink,
  role: OperatorRole,
): Schemas["InvitationLink"] {
  return { email, role, link, expiresAt: toApiTime(expiresAtMs) };
}

export function toProof({ kind, value }: Schemas["Proof"]): Proof {
  return kind === "password" ? { kind, password: value } : { kind, code: value };
}
