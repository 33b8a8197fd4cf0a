import { actorOf } from "../visitor.ts";
import { operation } from "./operation.ts";

export const endOtherSessions = operation("endOtherSessions", async ({ principal }, { people }, answer) => {
  await people.sessions.endOthers(principal.signedIn.session.sessionId, actorOf(principal));
  return answer(204);
});
