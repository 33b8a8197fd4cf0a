import { actorOf } from "../visitor.ts";
import { toApiInvitationLink } from "./convert-member.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const inviteMember = operation(
  "inviteMember",
  async ({ path, body: { email, role }, principal }, { people }, answer) => {
    const { signedIn } = principal;
    const { accountId } = membershipOf(signedIn.memberships, path.accountId);
    people.sessions.requireRecentFactor(signedIn);
    const invitation = await people.invitations.invite(email, accountId, role, actorOf(principal));
    return answer(201, toApiInvitationLink(invitation, role));
  },
);
