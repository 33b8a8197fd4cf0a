import { toApiPasskeyChallenge } from "./convert-passkey.ts";
import { operation } from "./operation.ts";

export const beginPasskeyStepUp = operation(
  "beginPasskeyStepUp",
  async ({ principal: { signedIn } }, { people }) =>
    toApiPasskeyChallenge(await people.passkeys.beginStepUp(signedIn.session)),
);
