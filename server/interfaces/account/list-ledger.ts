import { withDefault } from "../../http/operation.ts";
import { toPeriod } from "../convert-time.ts";
import { toApiLedger } from "./convert-ledger.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const listLedger = operation(
  "listLedger",
  async ({ path, query: { limit, cursor, from, to }, principal: { signedIn } }, { ledger }) => {
    const { accountId } = membershipOf(signedIn.memberships, path.accountId);
    const request = { limit: withDefault(limit), cursor, ...toPeriod({ from, to }) };
    return toApiLedger(await ledger.page(accountId, request));
  },
);
