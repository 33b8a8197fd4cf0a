import { withDefault } from "../../http/operation.ts";
import { toPeriod } from "../convert-time.ts";
import { toApiActivity } from "./convert-activity.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const listActivity = operation(
  "listActivity",
  async ({ path, query, principal: { signedIn } }, { activity }) => {
    const { accountId } = membershipOf(signedIn.memberships, path.accountId);
    const { limit, cursor, action, userId, from, to } = query;
    const request = { limit: withDefault(limit), cursor, action, userId, ...toPeriod({ from, to }) };
    return toApiActivity(await activity.page(accountId, request));
  },
);
