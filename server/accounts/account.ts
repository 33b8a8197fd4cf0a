import type { AccountId } from "../ids.ts";
import type { Microcents } from "../money/microcents.ts";

export type AccountStatus = "active" | "suspended";

/** A buyer's account: one prepaid balance, shared by all of its keys. */
export interface Account extends CallSettings, CapCeilings {
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

/** What of an account's calls to models an operator may set. */
export interface CallSettings {
  /** The most calls under way at once in one process; null: as many as the service allows every account. */
  readonly callsInFlightLimit: number | null;
  /** Whether a call that the balance does not cover may run with fewer `max_tokens`. */
  readonly lowersMaxTokens: boolean;
}

/** The most that the caps of keys may be, as an operator has set it; null is no ceiling. */
export interface CapCeilings {
  readonly orderCapCeilingMicrocents: Microcents | null;
  readonly dailyCapCeilingMicrocents: Microcents | null;
}

/** What of an account an operator may set at any time. */
export type AccountSettings = CallSettings & CapCeilings;

/** An account that is being opened: it has no money yet. */
export type NewAccount = Omit<
  Account,
  "balanceMicrocents" | "reservedMicrocents" | "scoreMicrocents" | keyof AccountSettings
>;

export const DEFAULT_RPM_LIMIT = 60;
export const MAX_RPM_LIMIT = 1_000_000;
export const MAX_CALLS_IN_FLIGHT = 1_000_000;

/** What the people of an account set for themselves; programs and prices know nothing of it. */
export interface Preferences {
  /** Whose days and months pages show, as IANA names it. */
  readonly timeZone: string;
  /** Below which amount that is available people want to be told; null: never. */
  readonly lowBalanceMicrocents: Microcents | null;
}
