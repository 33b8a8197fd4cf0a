import type { components } from "../../../generated/account/types.ts";
import type { Preferences } from "../../accounts/account.ts";
import { InvalidFieldError } from "../../errors.ts";
import { formatDecimalMoney, type Microcents, parseDecimalMoney } from "../../money/microcents.ts";

type Schemas = components["schemas"];

export function toApiSettings({ timeZone, lowBalanceMicrocents }: Preferences): Schemas["Settings"] {
  return {
    timeZone,
    lowBalance: lowBalanceMicrocents === null ? null : formatDecimalMoney(lowBalanceMicrocents),
  };
}

/** What is given of the settings; what is not stays as it is. @throws {InvalidFieldError} */
export function toPreferences({ timeZone, lowBalance }: Schemas["SettingsChange"]): Partial<Preferences> {
  return {
    ...(timeZone !== undefined && { timeZone }),
    ...(lowBalance !== undefined && { lowBalanceMicrocents: toAmount(lowBalance) }),
  };
}

function toAmount(text: string | null): Microcents | null {
  if (text === null) return null;
  const amount = parseDecimalMoney(text);
  if (amount === null) throw new InvalidFieldError("lowBalance", "Write an amount in USD, such as 50.00.");
  return amount;
}
