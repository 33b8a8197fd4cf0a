import { toApiSession, toProof } from "./convert-session.ts";
import { operation } from "./operation.ts";

export const stepUp = operation(
  "stepUp",
  async ({ body, principal: { signedIn, visit } }, { people, clock }) =>
    toApiSession(await people.sessions.stepUp(signedIn, toProof(body), visit), clock()),
);
