import type { AccountId, CallId, KeyId } from "../ids.ts";
import type { Model } from "../models/model.ts";
import type { Microcents } from "../money/microcents.ts";
import type { AskedTerms, Bill } from "./bill.ts";
import type { UsageBounds } from "./highest-charge.ts";
import type { TokenCounts, TokenUsage } from "./token-usage.ts";

/**
 * How a call ended. `rejected`: the upstream refused the request (4xx, 429, 529). `upstream_failed`: the upstream or the
 * way to it broke, or the process that forwarded the call died.
 */
export type CallOutcome = "completed" | "client_aborted" | "upstream_failed" | "rejected";

/** A call that has begun: its most possible cost is held. */
export interface Call {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  /** With the prices that the call is charged at, whatever becomes of the model meanwhile. */
  readonly model: Model;
  /** The other models that the request names, with their prices. */
  readonly otherModels?: readonly Model[] | undefined;
  /** What the request asks for that multiplies prices. */
  readonly asked?: AskedTerms | undefined;
  readonly requestId: string;
  readonly createdAtMs: number;
  readonly holdMicrocents: Microcents;
  /** The most that the call may use, for which that is held. */
  readonly most: UsageBounds;
}

/** What is told of the end of a call. */
export interface CallEnding {
  readonly outcome: CallOutcome;
  /** What it is charged for; null charges nothing. */
  readonly usage: TokenUsage | null;
  /** Whether the tokens are our own estimate and not the upstream's word. */
  readonly estimated: boolean;
  readonly upstreamRequestId: string | null;
}

/** A call as its account sees it. */
export interface UsageRecord {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  readonly modelId: string;
  /** null while the call runs. */
  readonly outcome: CallOutcome | null;
  readonly estimated: boolean;
  /** Of a call that runs: what has been recorded so far. */
  readonly usage: TokenCounts;
  /** What it is charged item by item; null: its tokens at the model's plain prices. */
  readonly bill: Bill | null;
  /** What was charged; never below zero. */
  readonly amountMicrocents: Microcents;
  /** The balance after the charge; null when nothing was charged. */
  readonly balanceAfterMicrocents: Microcents | null;
  readonly requestId: string;
  readonly upstreamRequestId: string | null;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
}

/** What is held for a call. */
export interface RunningHold {
  readonly callId: CallId;
  readonly amountMicrocents: Microcents;
  readonly createdAtMs: number;
}
