import { withDefault } from "../../http/operation.ts";
import { toApiCallStatistics, toStatisticsQuery } from "./convert-statistics.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const getCallStatistics = operation(
  "getCallStatistics",
  async ({ path, query, principal: { signedIn } }, { statistics }) => {
    const { accountId } = membershipOf(signedIn.memberships, path.accountId);
    const { groupBy = null, from, to, granularity, timeZone } = query;
    const asked = { granularity: withDefault(granularity), timeZone: withDefault(timeZone) };
    const buckets = await statistics.calls({
      accountId,
      groupBy,
      ...toStatisticsQuery({ from, to, ...asked }),
    });
    return toApiCallStatistics(buckets, asked);
  },
);
