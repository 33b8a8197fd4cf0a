import { operation } from "./operation.ts";
import { ownKey, shownKey } from "./shown-key.ts";

export const getKey = operation("getKey", async ({ path: { accountId, keyId }, principal }, services) =>
  shownKey(services, await ownKey(services, principal, { accountId, keyId }).get()),
);
