import type { components } from "../../../generated/operator/types.ts";
import type { InvitationLink, ShownInvitation } from "../../people/invitations.ts";
import type { OperatorRole } from "../../people/person.ts";
import type { Proof, SignedIn } from "../../people/session.ts";
import { toSessionFields } from "../convert-session.ts";
import { toApiTime } from "../convert-time.ts";
import { mayAct } from "./may-act.ts";
import type { OperatorServices } from "./services.ts";

type Schemas = components["schemas"];

export function toApiSession(
  signedIn: SignedIn,
  { clock, isSecondFactorOptional }: Pick<OperatorServices, "clock" | "isSecondFactorOptional">,
): Schemas["Session"] {
  const { operatorRole } = signedIn;
  if (operatorRole === null) throw new Error("This is no session of the console.");
  return {
    ...toSessionFields(signedIn, clock()),
    role: operatorRole,
    mayAct: mayAct(signedIn, { isSecondFactorOptional }),
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
