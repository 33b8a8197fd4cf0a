import { actorOf } from "../visitor.ts";
import { operation } from "./operation.ts";

export const changePassword = operation("changePassword", async ({ body, principal }, { people }) => {
  const { sessionId, userId } = principal.signedIn.session;
  const { currentPassword: from, newPassword: to } = body;
  await people.changePassword({ from, to, sessionId, by: actorOf(principal) });
  return people.factors.ofUser(userId);
});
