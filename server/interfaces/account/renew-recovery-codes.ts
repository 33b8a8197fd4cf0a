import { actorOf } from "../visitor.ts";
import { operation } from "./operation.ts";

export const renewRecoveryCodes = operation("renewRecoveryCodes", async ({ principal }, { people }) => {
  people.sessions.requireRecentFactor(principal.signedIn);
  return { codes: await people.factors.renewRecoveryCodes(actorOf(principal)) };
});
