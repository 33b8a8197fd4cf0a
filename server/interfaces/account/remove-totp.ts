import { actorOf } from "../visitor.ts";
import { operation } from "./operation.ts";

export const removeTotp = operation("removeTotp", async ({ principal }, { people }, answer) => {
  people.sessions.requireRecentFactor(principal.signedIn);
  await people.factors.remove(actorOf(principal));
  return answer(204);
});
