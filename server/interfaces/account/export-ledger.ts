import { exportedPeriod, savedAs } from "./convert-export.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const exportLedger = operation(
  "exportLedger",
  async ({ path, query: { from, to }, principal: { signedIn } }, { exports }, answer) => {
    const { accountId } = membershipOf(signedIn.memberships, path.accountId);

    const rows = exports.ledger(accountId, exportedPeriod({ from, to }), "buyer");
    return answer(200, rows, savedAs("ledger"));
  },
);
