import type { Admission } from "../../http/admission.ts";
import { mayOperateAs, OPERATOR_ROLES } from "../../people/person.ts";
import type { Sessions } from "../../people/sessions.ts";
import { UnauthorizedError } from "../admission-errors.ts";
import { RoleRequiredError, SecondFactorMissingError } from "../session-refusals.ts";
import type { createVisits } from "../visit.ts";
import { admitVisitor, type Visitor } from "../visitor.ts";
import { mayAct } from "./may-act.ts";

/** What lets operators in. */
interface OperatorAdmission {
  readonly sessions: Pick<Sessions, "authenticate">;
  readonly visits: ReturnType<typeof createVisits>;
  readonly isSecondFactorOptional: boolean;
}

/**
 * Lets in by the cookie of a session: session (401), second factor (403), role (403). What asks for a role wants a second factor to be
 * there; what does not is for everybody who is signed in, so that they can set one up.
 */
export function admitOperators(admission: OperatorAdmission): Admission<Visitor> {
  return async (req, res, needed) => {
    const visitor = await admitVisitor(admission, req, res, needed);
    const roles = OPERATOR_ROLES.filter((role) => needed.includes(role));
    if (roles.length > 0 && !mayAct(visitor.signedIn, admission)) throw new SecondFactorMissingError();
    const { operatorRole } = visitor.signedIn;
    if (operatorRole === null) throw new UnauthorizedError("This is no session of the console. Sign in.");
    for (const role of roles) if (!mayOperateAs(operatorRole, role)) throw new RoleRequiredError(role);
    return visitor;
  };
}
