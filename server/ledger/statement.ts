import type { Session } from "../database/database.ts";
import type { AccountId } from "../ids.ts";
import type { Microcents } from "../money/microcents.ts";
import { startOfDay, type TimeZone } from "../time-zone.ts";
import { entriesBefore } from "./entries-before.ts";
import type { LedgerEntryType } from "./ledger-entry.ts";
import { balanceAfter, sumsByType } from "./ledger-store.ts";

/** A month of a calendar, 1 to 12. */
export interface Month {
  readonly year: number;
  readonly month: number;
}

/** What became of an account's balance in a month: opening + all sums = closing. */
export interface Statement {
  readonly accountId: AccountId;
  readonly fromMs: number;
  /** The beginning of the next month. */
  readonly toMs: number;
  readonly openingMicrocents: Microcents;
  readonly closingMicrocents: Microcents;
  /** What there was of each type, by its name. */
  readonly sums: readonly StatementSum[];
  /** The numbers of the month's first and last entry; null when it has none. */
  readonly entries: { readonly first: bigint; readonly last: bigint } | null;
}

export interface StatementSum {
  readonly type: LedgerEntryType;
  readonly entries: number;
  readonly amountMicrocents: Microcents;
}

/**
 * The statement of a month, whose opening balance is the closing one of the month before. That of a month which is over does not
 * change: an entry that is late is in the next one (see {@link entriesBefore}). That of the month which it is goes up to now.
 */
export async function statementOf(
  session: Session,
  accountId: AccountId,
  { year, month }: Month,
  zone: TimeZone,
): Promise<Statement> {
  const fromMs = startOfDay(zone, { year, month, day: 1 });
  const toMs = startOfDay(zone, { year, month: month + 1, day: 1 });
  const after = await entriesBefore(session, accountId, fromMs);
  const upTo = await entriesBefore(session, accountId, toMs);
  return {
    accountId,
    fromMs,
    toMs,
    openingMicrocents: await balanceAfter(session, accountId, after),
    closingMicrocents: await balanceAfter(session, accountId, upTo),
    sums: await sumsByType(session, accountId, { after, upTo }),
    entries: upTo > after ? { first: after + 1n, last: upTo } : null,
  };
}
