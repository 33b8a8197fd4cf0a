import type { Act, Actor } from "../activity/activity-entry.ts";
import { recordAct } from "../activity/record-act.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import { timeZone } from "../time-zone.ts";
import type { Preferences } from "./account.ts";
import type { Accounts } from "./accounts.ts";
import { findPreferences, updatePreferences } from "./preferences-store.ts";

/** What preferences need. */
export interface PreferencesDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "get">;
}

const CHANGED: Act = { action: "settings_changed" };

export type PreferencesOfAccounts = ReturnType<typeof createPreferences>;

/** What the people of accounts have set. */
export function createPreferences({ database, clock, accounts }: PreferencesDependencies) {
  async function get(accountId: AccountId): Promise<Preferences> {
    await accounts.get(accountId);
    return findPreferences(database, accountId);
  }

  return {
    /** @throws {NotFoundError} no such account. */
    get,

    /**
     * Sets those that are given and leaves the others. What changes nothing is no act.
     * @throws {NotFoundError} no such account. @throws {InvalidFieldError} no such time zone.
     */
    async change(
      accountId: AccountId,
      changes: Partial<Preferences>,
      by: Actor | null,
    ): Promise<Preferences> {
      if (changes.timeZone !== undefined) timeZone(changes.timeZone);
      await accounts.get(accountId);
      return transaction(database, async (tx) => {
        if (await updatePreferences(tx, accountId, changes))
          await recordAct(tx, { ...CHANGED, by, accountIds: [accountId], atMs: clock() });
        return findPreferences(tx, accountId);
      });
    },
  };
}
