import type { components } from "../../../generated/ordering/types.ts";
import type { Account } from "../../accounts/account.ts";
import { type LevelProgress, levelProgressOf } from "../../accounts/level.ts";
import {
  formatDecimalMoney,
  parseDecimalMoney,
  subtract,
  toJsonInteger,
  ZERO,
} from "../../money/microcents.ts";

type Schemas = components["schemas"];

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
    level: toApiLevel(levelProgressOf(scoreMicrocents)),
  };
}

export function toApiLevel({ level, scoreMicrocents, next }: LevelProgress): Schemas["LevelSummary"] {
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

function differenceOf(balance: string, reserved: string): string {
  const difference = subtract(parseDecimalMoney(balance) ?? ZERO, parseDecimalMoney(reserved) ?? ZERO);
  return formatDecimalMoney(difference);
}
