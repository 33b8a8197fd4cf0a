import type { components } from "../../../generated/proxy/types.ts";
import type { Account, AccountStatus } from "../../accounts/account.ts";
import type { ApiKey, KeyStatus } from "../../keys/api-key.ts";
import { subtract, toJsonInteger } from "../../money/microcents.ts";
import type { SameValues } from "../same-values.ts";

type Schemas = components["schemas"];

const ACCOUNT_STATUSES: SameValues<Schemas["Account"]["status"], AccountStatus> = {
  active: "active",
  suspended: "suspended",
};
const KEY_STATUSES: SameValues<Schemas["Key"]["status"], KeyStatus> = {
  active: "active",
  revoked: "revoked",
};

/** Exact amounts, unlike the balance of the ordering interface: what is available may be below zero. */
export function toApiAccountResource(account: Account, key: ApiKey): Schemas["AccountResource"] {
  const { balanceMicrocents, reservedMicrocents } = account;
  return {
    account: {
      id: account.accountId,
      status: ACCOUNT_STATUSES[account.status],
      balance_microcents: toJsonInteger(balanceMicrocents),
      reserved_microcents: toJsonInteger(reservedMicrocents),
      available_microcents: toJsonInteger(subtract(balanceMicrocents, reservedMicrocents)),
      rpm_limit: account.rpmLimit,
    },
    key: { id: key.keyId, key_preview: key.preview, status: KEY_STATUSES[key.status] },
  };
}
