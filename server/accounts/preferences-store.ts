import type { Session } from "../database/database.ts";
import { assignmentsOf } from "../database/many-rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { optionalMicrocents } from "../money/microcents.ts";
import type { Preferences } from "./account.ts";

interface PreferencesRow {
  time_zone: string | null;
  low_balance_microcents: bigint | null;
}

/** What an account has set; the usual where it has not. */
export async function findPreferences(session: Session, accountId: AccountId): Promise<Preferences> {
  const [row] = await session.rows<PreferencesRow>(
    "SELECT time_zone, low_balance_microcents FROM account_preferences WHERE account_id = ?",
    [accountId],
  );
  return {
    timeZone: row?.time_zone ?? "UTC",
    lowBalanceMicrocents: optionalMicrocents(row?.low_balance_microcents ?? null),
  };
}

/** Sets those that are given and leaves the others. @returns whether that changed anything. */
export async function updatePreferences(
  tx: Transaction,
  accountId: AccountId,
  { timeZone, lowBalanceMicrocents }: Partial<Preferences>,
): Promise<boolean> {
  // Locks the row, so that of two who set the same only one has changed something.
  await tx.change(
    `INSERT INTO account_preferences (account_id) VALUES (?) ON DUPLICATE KEY UPDATE account_id = account_id`,
    [accountId],
  );
  const before = await findPreferences(tx, accountId);
  const assignments = assignmentsOf({
    time_zone: timeZone === before.timeZone ? undefined : timeZone,
    low_balance_microcents:
      lowBalanceMicrocents === before.lowBalanceMicrocents ? undefined : lowBalanceMicrocents,
  });
  if (assignments === null) return false;
  await tx.change(`UPDATE account_preferences SET ${assignments.sql} WHERE account_id = ?`, [
    ...assignments.values,
    accountId,
  ]);
  return true;
}
