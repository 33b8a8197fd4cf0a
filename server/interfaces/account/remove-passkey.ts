import { actorOf } from "../visitor.ts";
import { operation } from "./operation.ts";
import { passkeyIdOf } from "./rename-passkey.ts";

export const removePasskey = operation("removePasskey", async ({ path, principal }, { people }, answer) => {
  people.sessions.requireRecentFactor(principal.signedIn);
  await people.passkeys.remove(passkeyIdOf(path), actorOf(principal));
  return answer(204);
});
