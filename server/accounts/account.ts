import type { AccountId } from "../ids.ts";
import type { Microcents } from "../money/microcents.ts";

export type AccountStatus = "active" | "suspended";

/** A buyer's account: one prepaid balance, shared by all of its keys. */
export interface Account {
  readonly accountId: AccountId;
  readonly name: string;
  readonly status: AccountStatus;
  /** Requests per minute, over all keys and both interfaces. */
  readonly rpmLimit: number;
  /** Sum of the account's ledger entries. */
  readonly balanceMicrocents: Microcents;
  /** Sum of the amounts held for orders that are being processed. */
  readonly reservedMicrocents: Microcents;
  /** Sum of positive top-ups; decides the level and never falls. */
  readonly scoreMicrocents: Microcents;
  readonly createdAtMs: number;
}

/** An account that is being opened: it has no money yet. */
export type NewAccount = Omit<Account, "balanceMicrocents" | "reservedMicrocents" | "scoreMicrocents">;

export const DEFAULT_RPM_LIMIT = 60;
export const MAX_RPM_LIMIT = 1_000_000;
