import { MAX_HOLDS, toApiOverview } from "./convert-overview.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";

export const getOverview = operation(
  "getOverview",
  async ({ path, principal: { signedIn } }, { accounts, ledger, calls, preferences }) => {
    const membership = membershipOf(signedIn.memberships, path.accountId);
    const { accountId } = membership;
    // One more than are shown says whether there are more.
    const [account, ofOrders, ofCalls, preferred] = await Promise.all([
      accounts.get(accountId),
      ledger.holds(accountId, MAX_HOLDS + 1),
      calls.holds(accountId, MAX_HOLDS + 1),
      preferences.get(accountId),
    ]);
    return toApiOverview({ account, membership, orders: ofOrders, calls: ofCalls, preferences: preferred });
  },
);
