import type { components } from "../../../generated/proxy/types.ts";
import type { LedgerEntry, LedgerEntryType } from "../../ledger/ledger-entry.ts";
import { toJsonInteger } from "../../money/microcents.ts";
import type { SameValues } from "../same-values.ts";

type Schemas = components["schemas"];

const TYPES: SameValues<Schemas["LedgerEntryType"], LedgerEntryType> = {
  top_up: "top_up",
  adjustment: "adjustment",
  order: "order",
  refund: "refund",
  call: "call",
};

export function toApiLedger(entries: readonly LedgerEntry[]): Schemas["LedgerEntryList"] {
  return { data: entries.map(toApiLedgerEntry) };
}

/** The operator's note is not among the fields: it is written for the operator. */
function toApiLedgerEntry(entry: LedgerEntry): Schemas["LedgerEntry"] {
  return {
    id: `led_${entry.sequence}`,
    created_at: new Date(entry.createdAtMs).toISOString(),
    type: TYPES[entry.type],
    amount_microcents: toJsonInteger(entry.amountMicrocents),
    balance_after_microcents: toJsonInteger(entry.balanceAfterMicrocents),
    reference: entry.reference,
  };
}
