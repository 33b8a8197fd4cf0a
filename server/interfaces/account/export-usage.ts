import { exportedPeriod, savedAs } from "./convert-export.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const exportUsage = operation(
  "exportUsage",
  async ({ path, query: { from, to }, principal: { signedIn } }, { exports }, answer) => {
    const { accountId } = membershipOf(signedIn.memberships, path.accountId);

    const rows = exports.calls(accountId, exportedPeriod({ from, to }));
    return answer(200, rows, savedAs("usage"));
  },
);
