import { toApiSession, toProof } from "./convert-session.ts";
import { operation } from "./operation.ts";

export const stepUp = operation("stepUp", async ({ body, principal: { signedIn, visit } }, services) =>
  toApiSession(await services.people.sessions.stepUp(signedIn, toProof(body), visit), services),
);
