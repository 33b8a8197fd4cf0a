import type { components } from "../../../generated/account/types.ts";
import type { Account, Preferences } from "../../accounts/account.ts";
import { levelProgressOf } from "../../accounts/level.ts";
import type { RunningHold } from "../../calls/call.ts";
import type { OpenedHold } from "../../ledger/funds.ts";
import { formatDecimalMoney, parseDecimalMoney, subtract, ZERO } from "../../money/microcents.ts";
import type { Membership } from "../../people/person.ts";
import { toApiTime } from "../convert-time.ts";
import { toApiSettings } from "./convert-settings.ts";

type Schemas = components["schemas"];

/** What is told of an account, and of what is held of it. */
interface OverviewParts {
  readonly account: Account;
  readonly membership: Membership;
  readonly orders: readonly OpenedHold[];
  readonly calls: readonly RunningHold[];
  readonly preferences: Preferences;
}

export const MAX_HOLDS = 100;

/** What is shown never overstates: the balance is rounded down, what is reserved up. */
export function toApiOverview({
  account,
  membership,
  orders,
  calls,
  preferences,
}: OverviewParts): Schemas["Overview"] {
  const balance = formatDecimalMoney(account.balanceMicrocents, "down");
  const reserved = formatDecimalMoney(account.reservedMicrocents, "up");
  const available = differenceOf(balance, reserved);
  const { level, next } = levelProgressOf(account.scoreMicrocents);
  const holds = [...orders.map(toOrderHold), ...calls.map(toCallHold)].toSorted((a, b) =>
    a.since < b.since ? -1 : 1,
  );
  return {
    accountId: account.accountId,
    name: account.name,
    role: membership.role,
    balance,
    reserved,
    available,
    currency: "USD",
    holds: holds.slice(0, MAX_HOLDS),
    hasMoreHolds: holds.length > MAX_HOLDS,
    level,
    nextLevel: next && { level: next.level, remaining: formatDecimalMoney(next.remainingMicrocents, "up") },
    ...toApiSettings(preferences),
    isBalanceLow: isBelow(available, preferences.lowBalanceMicrocents),
  };
}

function toOrderHold({ reference, amountMicrocents, openedAtMs }: OpenedHold): Schemas["Hold"] {
  return { id: reference, kind: "order", ...amountSince(amountMicrocents, openedAtMs) };
}

function toCallHold({ callId, amountMicrocents, createdAtMs }: RunningHold): Schemas["Hold"] {
  return { id: callId, kind: "call", ...amountSince(amountMicrocents, createdAtMs) };
}

function amountSince(amount: OpenedHold["amountMicrocents"], sinceMs: number) {
  return { amount: formatDecimalMoney(amount, "up"), since: toApiTime(sinceMs) };
}

function isBelow(available: string, line: Preferences["lowBalanceMicrocents"]): boolean {
  return line !== null && (parseDecimalMoney(available) ?? ZERO) < line;
}

/** Nothing where that is less. */
function differenceOf(balance: string, reserved: string): string {
  return formatDecimalMoney(
    subtract(parseDecimalMoney(balance) ?? ZERO, parseDecimalMoney(reserved) ?? ZERO),
  );
}
