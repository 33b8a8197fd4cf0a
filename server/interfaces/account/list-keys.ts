import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";
import { shownKey } from "./shown-key.ts";

export const listKeys = operation("listKeys", async ({ path, principal }, services) => {
  const { accountId } = membershipOf(principal.signedIn.memberships, path.accountId);
  const keys = await services.keys.list(accountId);
  return { keys: await Promise.all(keys.map((key) => shownKey(services, key))) };
});
