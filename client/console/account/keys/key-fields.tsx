import type { Fault } from "../../api/fault.ts";
import { amountOf } from "../../ui/amount-of.ts";
import { Field } from "../../ui/field.tsx";
import { moneyText } from "../../ui/money.tsx";
import { localInput, momentOf, useTimeZone } from "../../ui/time.tsx";
import type { Key } from "./key-text.tsx";

type Settings = Pick<Key, "name" | "orderCap" | "dailyCap" | "expiresAt">;

interface KeyFieldsProps {
  /** What they hold first; nothing for a key that is to be made. */
  readonly present?: Settings & Pick<Key, "orderCapCeiling" | "dailyCapCeiling">;
  readonly fault: Fault | null;
}

/** What can be set of a key at any time. */
export function KeyFields({ present, fault }: KeyFieldsProps) {
  const fields = fault?.fields ?? {};
  const timeZone = useTimeZone();
  const atMost = (ceiling: string | null | undefined) =>
    ceiling
      ? `In USD; the shop allows ${moneyText(ceiling)}. Empty for no cap of yours.`
      : "In USD. Empty for no cap.";
  return (
    <>
      <Field
        label="Name"
        hint="What you know it by, such as the program that has it."
        name="name"
        maxLength={100}
        defaultValue={present?.name ?? ""}
        error={fields.name}
      />
      <Field
        label="Cap of one order"
        hint={atMost(present?.orderCapCeiling)}
        name="orderCap"
        inputMode="decimal"
        defaultValue={present?.orderCap ?? ""}
        error={fields.orderCap}
      />
      <Field
        label="Cap of a day"
        hint={`Days are those of UTC. ${atMost(present?.dailyCapCeiling)}`}
        name="dailyCap"
        inputMode="decimal"
        defaultValue={present?.dailyCap ?? ""}
        error={fields.dailyCap}
      />
      <Field
        label="Expires"
        hint={`In the time of ${timeZone}. Empty for never.`}
        name="expiresAt"
        type="datetime-local"
        defaultValue={localInput(present?.expiresAt ?? null, timeZone)}
        error={fields.expiresAt}
      />
    </>
  );
}

/** What the fields hold, as the contract has it. */
export function settingsOf(
  { name = "", orderCap = "", dailyCap = "", expiresAt = "" }: Readonly<Record<string, string>>,
  timeZone: string,
): Settings {
  return {
    name: name.trim() === "" ? null : name.trim(),
    orderCap: amountOf(orderCap),
    dailyCap: amountOf(dailyCap),
    expiresAt: momentOf(expiresAt, timeZone),
  };
}
