import { operation } from "./operation.ts";
import { ownKey, shownKey } from "./shown-key.ts";

export const rotateKey = operation(
  "rotateKey",
  async ({ path: { accountId, keyId }, body, principal }, services) => {
    const own = ownKey(services, principal, { accountId, keyId });
    services.people.sessions.requireRecentFactor(principal.signedIn);
    const { key: secret, ...key } = await own.rotate(body.overlapSeconds * 1_000);
    return { secret, key: await shownKey(services, key) };
  },
);
