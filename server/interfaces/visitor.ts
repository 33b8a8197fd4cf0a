import type { Request, Response } from "express";
import type { Actor } from "../activity/activity-entry.ts";
import { contextOf } from "../http/request-context.ts";
import type { SignedIn } from "../people/session.ts";
import type { Sessions } from "../people/sessions.ts";
import { UnauthorizedError } from "./admission-errors.ts";
import { SecondFactorRequiredError } from "./session-refusals.ts";
import type { createVisits, Visit } from "./visit.ts";

/** Whom an interface of pages lets in. */
export interface Visitor {
  readonly signedIn: SignedIn;
  readonly visit: Visit;
}

/** As whom the visitor's acts are recorded. */
export function actorOf({ signedIn: { user }, visit: { address } }: Visitor): Actor {
  return { userId: user.userId, email: user.email, address };
}

/**
 * Lets in by the cookie of a session: session (401), second factor that was not given yet (403). Operations that ask for no scope let
 * in sessions that wait for it. @param needed the scopes that the operation asks for
 */
export async function admitVisitor(
  of: {
    readonly sessions: Pick<Sessions, "authenticate">;
    readonly visits: ReturnType<typeof createVisits>;
  },
  req: Request,
  res: Response,
  needed: readonly string[],
): Promise<Visitor> {
  const token = of.visits.tokenOf(req);
  const signedIn = token === null ? null : await of.sessions.authenticate(token);
  if (signedIn === null) throw new UnauthorizedError("There is no session, or it has ended. Sign in.");
  const { user, session } = signedIn;
  contextOf(res).principalInLog = { userId: user.userId, sessionId: session.sessionId };
  if (needed.length > 0 && session.awaitsFactor) throw new SecondFactorRequiredError();
  return { signedIn, visit: of.visits.of(req) };
}
