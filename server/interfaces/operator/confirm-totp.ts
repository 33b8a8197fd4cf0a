import { actorOf } from "../visitor.ts";
import { operation } from "./operation.ts";

export const confirmTotp = operation("confirmTotp", async ({ body, principal }, { people }) => {
  people.sessions.requireRecentFactor(principal.signedIn);
  const { sessionId } = principal.signedIn.session;
  return { codes: await people.factors.confirm(body.code, sessionId, actorOf(principal)) };
});
