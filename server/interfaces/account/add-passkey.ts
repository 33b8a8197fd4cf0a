import { actorOf } from "../visitor.ts";
import { toApiPasskey } from "./convert-passkey.ts";
import { operation } from "./operation.ts";

export const addPasskey = operation("addPasskey", async ({ body, principal }, { people }, answer) => {
  people.sessions.requireRecentFactor(principal.signedIn);
  const { name, credentialId, clientDataJSON, attestationObject } = body;
  const made = { credentialId, clientDataJSON, attestationObject };
  const { sessionId } = principal.signedIn.session;
  const added = await people.passkeys.add({ name, made, sessionId, by: actorOf(principal) });
  const { passkey, recoveryCodes } = added;
  return answer(201, {
    passkey: toApiPasskey(passkey),
    recoveryCodes: recoveryCodes === null ? null : [...recoveryCodes],
  });
});
