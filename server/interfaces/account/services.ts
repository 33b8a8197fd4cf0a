import type { Accounts } from "../../accounts/accounts.ts";
import type { PreferencesOfAccounts } from "../../accounts/preferences.ts";
import type { Activity } from "../../activity/activity.ts";
import type { Calls } from "../../calls/calls.ts";
import type { Clock } from "../../clock.ts";
import type { Exports } from "../../exports/exports.ts";
import type { Keys } from "../../keys/keys.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { BuyerOrders } from "../../orders/buyer-orders.ts";
import type { People } from "../../people/people.ts";
import type { Statistics } from "../../statistics/statistics.ts";

/** The use cases that the handlers of this interface call. */
export interface AccountServices {
  readonly people: Pick<
    People,
    "invitations" | "factors" | "passkeys" | "sessions" | "changePassword" | "list" | "removeMember"
  >;
  readonly accounts: Pick<Accounts, "get">;
  readonly ledger: Pick<Ledger, "holds" | "page" | "statement">;
  readonly orders: Pick<BuyerOrders, "page" | "find" | "showCodes">;
  readonly calls: Pick<Calls, "holds">;
  readonly keys: Pick<Keys, "create" | "list" | "ofAccount" | "spentToday">;
  readonly activity: Pick<Activity, "page">;
  readonly preferences: Pick<PreferencesOfAccounts, "get" | "change">;
  readonly statistics: Pick<Statistics, "spend" | "orders" | "calls">;
  readonly exports: Exports;
  readonly clock: Clock;
}
