import type { AccountId } from "../ids.ts";
import type { Microcents } from "../money/microcents.ts";

export type LedgerEntryType = "top_up" | "adjustment" | "order" | "refund" | "call";

/** One change of an account's balance. Entries are only ever added. */
export interface LedgerEntry {
  readonly accountId: AccountId;
  /** 1, 2, 3, … per account, without gaps. */
  readonly sequence: number;
  readonly type: LedgerEntryType;
  /** Positive for money that came in, negative for money spent. */
  readonly amountMicrocents: Microcents;
  readonly balanceAfterMicrocents: Microcents;
  /** What the entry stands for: the operator's reference, or the order's or call's id. Unique per account and type. */
  readonly reference: string;
  readonly note: string | null;
  readonly createdAtMs: number;
}

/** An entry to be booked; its sequence and balance follow from the account. */
export type NewLedgerEntry = Pick<
  LedgerEntry,
  "accountId" | "type" | "amountMicrocents" | "reference" | "note" | "createdAtMs"
>;
