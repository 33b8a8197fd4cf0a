import { NotFoundError } from "../../errors.ts";
import type { Admission } from "../../http/admission.ts";
import { contextOf } from "../../http/request-context.ts";
import type { AccountId } from "../../ids.ts";
import { type Membership, mayActAs, ROLES } from "../../people/person.ts";
import type { Sessions } from "../../people/sessions.ts";
import { RoleRequiredError } from "../session-refusals.ts";
import type { createVisits } from "../visit.ts";
import { admitVisitor, type Visitor } from "../visitor.ts";

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
    const visitor = await admitVisitor({ sessions, visits }, req, res, needed);
    const { memberships } = visitor.signedIn;
    const asked = ACCOUNT_IN_PATH.exec(req.path)?.[1];
    if (asked !== undefined) {
      const membership = membershipOf(memberships, asked);
      contextOf(res).account = membership.accountId;
      for (const role of ROLES)
        if (needed.includes(role) && !mayActAs(membership.role, role)) throw new RoleRequiredError(role);
    }
    return visitor;
  };
}

/** @throws {NotFoundError} whether there is such an account is not told to who is no member of it. */
export function membershipOf(memberships: readonly Membership[], accountId: string): Membership {
  const membership = memberships.find((one) => one.accountId === (accountId as AccountId));
  if (membership === undefined) throw new NotFoundError("account", accountId);
  return membership;
}
