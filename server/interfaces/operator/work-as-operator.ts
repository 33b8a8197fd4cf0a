import { actAs } from "../../actions/acting.ts";
import type { Clock } from "../../clock.ts";
import type { WorkAs } from "../../http/interface-definition.ts";
import type { Visit } from "../visit.ts";
import type { Visitor } from "../visitor.ts";

/** Has what is changed recorded as the operator's whose session asks; strangers accept invitations and sign in, which is no action. */
export function workAsOperator(clock: Clock): WorkAs {
  return (principal, requestId, work) => {
    const visitor = principal as Visitor | Visit;
    if (!("signedIn" in visitor)) return work();
    const { userId, email } = visitor.signedIn.user;
    return actAs({ by: { kind: "operator", id: userId, name: email }, requestId, clock }, work);
  };
}
