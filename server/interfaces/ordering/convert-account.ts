import type { components as OrderingComponents } from "../../../generated/ordering/types.ts";
import type { components as ProxyComponents } from "../../../generated/proxy/types.ts";
import type { Account } from "../../accounts/account.ts";
import { type LevelStanding, standingOf } from "../../accounts/level.ts";
import type { ApiKey } from "../../keys/api-key.ts";
import {
  formatDecimalMoney,
  parseDecimalMoney,
  subtract,
  toJsonInteger,
  ZERO,
} from "../../money/microcents.ts";

type Schemas = OrderingComponents["schemas"];
type ProxySchemas = ProxyComponents["schemas"];

/** What is shown never overstates: the balance is rounded down, what is reserved up. */
export function toApiBalance({
  balanceMicrocents,
  reservedMicrocents,
  scoreMicrocents,
}: Account): Schemas["Balance"] {
  const balance = formatDecimalMoney(balanceMicrocents, "down");
  const reserved = formatDecimalMoney(reservedMicrocents, "up");
  return {
    balance,
    reserved,
    available: differenceOf(balance, reserved),
    currency: "USD",
    level: toApiLevel(standingOf(scoreMicrocents)),
  };
}

export function toApiLevel({ level, scoreMicrocents, next }: LevelStanding): Schemas["LevelSummary"] {
  return {
    level,
    scoreMicrocents: toJsonInteger(scoreMicrocents),
    score: formatDecimalMoney(scoreMicrocents),
    nextLevel: next && {
      level: next.level,
      thresholdMicrocents: toJsonInteger(next.thresholdMicrocents),
      remainingMicrocents: toJsonInteger(next.remainingMicrocents),
      remaining: formatDecimalMoney(next.remainingMicrocents, "up"),
    },
  };
}

/** Exact amounts, unlike the balance above: what is available may be below zero. */
export function toApiAccountResource(account: Account, key: ApiKey): ProxySchemas["AccountResource"] {
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

function differenceOf(balance: string, reserved: string): string {
  const difference = subtract(parseDecimalMoney(balance) ?? ZERO, parseDecimalMoney(reserved) ?? ZERO);
  return formatDecimalMoney(difference);
}
