import { toApiSettings } from "./convert-settings.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const getSettings = operation(
  "getSettings",
  async ({ path, principal: { signedIn } }, { preferences }) => {
    const { accountId } = membershipOf(signedIn.memberships, path.accountId);
    return toApiSettings(await preferences.get(accountId));
  },
);
