import type { components } from "../../../generated/proxy/types.ts";
import type { Account } from "../../accounts/account.ts";
import type { ApiKey } from "../../keys/api-key.ts";
import { subtract, toJsonInteger } from "../../money/microcents.ts";

type Schemas = components["schemas"];

/** Exact amounts, unlike the balance of the ordering interface: what is available may be below zero. */
export function toApiAccountResource(account: Account, key: ApiKey): Schemas["AccountResource"] {
  const { balanceMicrocents, reservedMicrocents } = account;
  return {
    account: {
      id: account.accountId,
      status: account.status,
      balance_microcents: toJsonInteger(balanceMicrocents),
      reserved_microcents: toJsonInteger(reservedMicrocents),
      available_microcents: toJsonInteger(subtract(balanceMicrocents, reservedMicrocents)),
      rpm_limit: account.rpmLimit,
    },
    key: { id: key.keyId, key_preview: key.preview, status: key.status },
  };
}
