import { toPasskeyProof } from "./convert-passkey.ts";
import { toApiSession } from "./convert-session.ts";
import { operation } from "./operation.ts";

export const stepUpByPasskey = operation(
  "stepUpByPasskey",
  async ({ body, principal: { signedIn, visit } }, { people, clock }) =>
    toApiSession(await people.sessions.stepUpByPasskey(signedIn, toPasskeyProof(body), visit), clock()),
);
