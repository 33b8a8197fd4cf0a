import type { AccountId } from "../ids.ts";
import { TooManyCallsError } from "./errors.ts";

/**
 * Counts the calls of each account that are under way in this process. Several processes count for themselves: what an account
 * may cost is bounded by what is held for its calls, in all processes; this only keeps one account from taking all connections.
 */
export function createCallsInFlight() {
  const counts = new Map<AccountId, number>();
  return {
    /** Runs a call as one of the account's. @throws {TooManyCallsError} it has as many as it may have. */
    async run(accountId: AccountId, limit: number, call: () => Promise<void>): Promise<void> {
      const before = counts.get(accountId) ?? 0;
      if (before >= limit) throw new TooManyCallsError(limit);
      counts.set(accountId, before + 1);
      try {
        await call();
      } finally {
        const left = (counts.get(accountId) ?? 1) - 1;
        if (left === 0) counts.delete(accountId);
        else counts.set(accountId, left);
      }
    },
  };
}
