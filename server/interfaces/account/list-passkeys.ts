import { toApiPasskey } from "./convert-passkey.ts";
import { operation } from "./operation.ts";

export const listPasskeys = operation("listPasskeys", async ({ principal: { signedIn } }, { people }) => ({
  passkeys: (await people.passkeys.list(signedIn.user.userId)).map(toApiPasskey),
}));
