import { withDefault } from "../../http/operation.ts";
import { toApiStatement, toMonth } from "./convert-ledger.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const getStatement = operation(
  "getStatement",
  async ({ path, query, principal: { signedIn } }, { ledger }) => {
    const { month, ...of } = path;
    const { accountId } = membershipOf(signedIn.memberships, of.accountId);
    const timeZone = withDefault(query.timeZone);
    const statement = await ledger.statement(accountId, toMonth(month), timeZone);
    return toApiStatement(statement, { month, timeZone });
  },
);
