import { NotFoundError } from "../../errors.ts";
import type { Admission } from "../../http/admission.ts";
import { contextOf } from "../../http/request-context.ts";
import type { AccountId } from "../../ids.ts";
import { type Membership, mayActAs, ROLES } from "../../people/person.ts";
import type { SignedIn } from "../../people/session.ts";
import type { Sessions } from "../../people/sessions.ts";
import { UnauthorizedError } from "../admission-errors.ts";
import { RoleRequiredError, SecondFactorRequiredError } from "./refusals.ts";
import type { createVisits, Visit } from "./visit.ts";

/** Whom this interface lets in. */
export interface Visitor {
  readonly signedIn: SignedIn;
  readonly visit: Visit;
}

const ACCOUNT_IN_PATH = /\/accounts\/([^/]+)/;

/**
 * Lets in by the cookie of a session: session (401), second factor (403), account (404), role (403). Operations that ask for no
 * scope let in sessions that wait for the second factor.
 */
export function admitBySession(
  sessions: Pick<Sessions, "authenticate">,
  visits: ReturnType<typeof createVisits>,
): Admission<Visitor> {
  return async (req, res, needed) => {
    const token = visits.tokenOf(req);
    const signedIn = token === null ? null : await sessions.authenticate(token);
    if (signedIn === null) throw new UnauthorizedError("There is no session, or it has ended. Sign in.");
    const { user, session, memberships } = signedIn;
    const context = contextOf(res);
    context.principalInLog = { userId: user.userId, sessionId: session.sessionId };
    if (needed.length > 0 && session.awaitsFactor) throw new SecondFactorRequiredError();
    const asked = ACCOUNT_IN_PATH.exec(req.path)?.[1];
    if (asked !== undefined) {
      const membership = membershipOf(memberships, asked);
      context.account = membership.accountId;
      for (const role of ROLES)
        if (needed.includes(role) && !mayActAs(membership.role, role)) throw new RoleRequiredError(role);
    }
    return { signedIn, visit: visits.of(req) };
  };
}

/** @throws {NotFoundError} whether there is such an account is not told to who is no member of it. */
export function membershipOf(memberships: readonly Membership[], accountId: string): Membership {
  const membership = memberships.find((one) => one.accountId === (accountId as AccountId));
  if (membership === undefined) throw new NotFoundError("account", accountId);
  return membership;
}
