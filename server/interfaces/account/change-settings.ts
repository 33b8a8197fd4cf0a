import { actorOf } from "../visitor.ts";
import { toApiSettings, toPreferences } from "./convert-settings.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const changeSettings = operation(
  "changeSettings",
  async ({ path, body, principal }, { preferences }) => {
    const { accountId } = membershipOf(principal.signedIn.memberships, path.accountId);
    return toApiSettings(await preferences.change(accountId, toPreferences(body), actorOf(principal)));
  },
);
