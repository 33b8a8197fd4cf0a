import { operation } from "./operation.ts";

export const getSecurity = operation("getSecurity", async ({ principal: { signedIn } }, { people }) =>
  people.factors.ofUser(signedIn.user.userId),
);
