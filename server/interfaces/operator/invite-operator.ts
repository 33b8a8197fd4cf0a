import { toApiInvitationLink } from "./convert-session.ts";
import { operation } from "./operation.ts";

export const inviteOperator = operation(
  "inviteOperator",
  async ({ body: { email, role }, principal: { signedIn } }, { people }, answer) => {
    people.sessions.requireRecentFactor(signedIn);
    const invitation = await people.invitations.inviteOperator(email, role);
    return answer(201, toApiInvitationLink(invitation, role));
  },
);
