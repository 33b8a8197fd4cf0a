import { toApiMembers } from "./convert-member.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const listMembers = operation("listMembers", async ({ path, principal: { signedIn } }, { people }) => {
  const { accountId } = membershipOf(signedIn.memberships, path.accountId);
  return toApiMembers(await people.list(accountId));
});
