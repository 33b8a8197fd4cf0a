import { operation } from "./operation.ts";
import { ownKey, shownKey } from "./shown-key.ts";

export const endKeyOverlap = operation(
  "endKeyOverlap",
  async ({ path: { accountId, keyId }, principal }, services) => {
    const key = ownKey(services, principal, { accountId, keyId });
    services.people.sessions.requireRecentFactor(principal.signedIn);
    return shownKey(services, await key.endOverlap());
  },
);
