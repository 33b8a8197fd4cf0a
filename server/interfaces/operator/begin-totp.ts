import { operation } from "./operation.ts";

export const beginTotp = operation("beginTotp", async ({ principal: { signedIn } }, { people }) => {
  people.sessions.requireRecentFactor(signedIn);
  return people.factors.begin(signedIn.user);
});
