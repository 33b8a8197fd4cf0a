import { toApiSession } from "./convert-session.ts";
import { operation } from "./operation.ts";

export const getSession = operation("getSession", async ({ principal }, services) =>
  toApiSession(principal.signedIn, services),
);
