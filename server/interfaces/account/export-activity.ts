import { exportedPeriod, savedAs } from "./convert-export.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const exportActivity = operation(
  "exportActivity",
  async ({ path, query, principal: { signedIn } }, { exports }, answer) => {
    const { accountId } = membershipOf(signedIn.memberships, path.accountId);
    const { from, to, action, userId } = query;
    const rows = exports.activity(accountId, exportedPeriod({ from, to }), { action, userId });
    return answer(200, rows, savedAs("activity"));
  },
);
