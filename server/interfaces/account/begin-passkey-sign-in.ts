import { toApiPasskeyChallenge } from "./convert-passkey.ts";
import { operation } from "./operation.ts";

export const beginPasskeySignIn = operation("beginPasskeySignIn", async ({ principal }, { people }) =>
  toApiPasskeyChallenge(await people.passkeys.beginSignIn(principal.address)),
);
