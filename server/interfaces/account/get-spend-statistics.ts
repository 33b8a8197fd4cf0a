import { withDefault } from "../../http/operation.ts";
import { toApiSpend, toStatisticsQuery } from "./convert-statistics.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const getSpendStatistics = operation(
  "getSpendStatistics",
  async ({ path, query, principal: { signedIn } }, { statistics }) => {
    const { accountId } = membershipOf(signedIn.memberships, path.accountId);
    const { from, to, granularity, timeZone } = query;
    const asked = { granularity: withDefault(granularity), timeZone: withDefault(timeZone) };
    const buckets = await statistics.spend({ accountId, ...toStatisticsQuery({ from, to, ...asked }) });
    return toApiSpend(buckets, asked);
  },
);
