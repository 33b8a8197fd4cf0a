import { toKeyProperties } from "./convert-key.ts";
import { operation } from "./operation.ts";
import { ownKey, shownKey } from "./shown-key.ts";

export const changeKey = operation(
  "changeKey",
  async ({ path: { accountId, keyId }, body, principal }, services) => {
    const key = ownKey(services, principal, { accountId, keyId });
    services.people.sessions.requireRecentFactor(principal.signedIn);
    return shownKey(services, await key.change(toKeyProperties(body)));
  },
);
