import type { components } from "../../../generated/account/types.ts";
import type { LedgerPage } from "../../ledger/ledger.ts";
import type { LedgerEntry } from "../../ledger/ledger-entry.ts";
import type { Month, Statement } from "../../ledger/statement.ts";
import { formatExactUsd } from "../../money/microcents.ts";
import { toApiTime } from "../convert-time.ts";

type Schemas = components["schemas"];

export function toApiLedger({ entries, nextCursor }: LedgerPage): Schemas["LedgerEntryList"] {
  return { entries: entries.map(toApiEntry), hasMore: nextCursor !== null, nextCursor };
}

/** The operator's note is not among the fields: it is written for the operator. */
function toApiEntry(entry: LedgerEntry): Schemas["LedgerEntry"] {
  return {
    entryId: `led_${entry.sequence}`,
    type: entry.type,
    amount: formatExactUsd(entry.amountMicrocents),
    balanceAfter: formatExactUsd(entry.balanceAfterMicrocents),
    reference: entry.reference,
    createdAt: toApiTime(entry.createdAtMs),
  };
}

/** `2026-11`, as the contract has it. */
export function toMonth(text: string): Month {
  const [year = "", month = ""] = text.split("-");
  return { year: Number(year), month: Number(month) };
}

export function toApiStatement(
  statement: Statement,
  asked: { readonly month: string; readonly timeZone: string },
): Schemas["Statement"] {
  return {
    accountId: statement.accountId,
    month: asked.month,
    timeZone: asked.timeZone,
    from: toApiTime(statement.fromMs),
    to: toApiTime(statement.toMs),
    opening: formatExactUsd(statement.openingMicrocents),
    closing: formatExactUsd(statement.closingMicrocents),
    sums: statement.sums.map(({ type, entries, amountMicrocents }) => ({
      type,
      entries,
      amount: formatExactUsd(amountMicrocents),
    })),
    currency: "USD",
  };
}
