import { createBackgroundWork } from "../background-work.ts";
import { type AccountId, newId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import type { Log } from "../log.ts";
import type { Model } from "../models/model.ts";
import { MAX_ACCOUNT_MICROCENTS, type Microcents, ZERO } from "../money/microcents.ts";
import { type AskedTerms, type Bill, type Charge, chargeOf } from "./bill.ts";
import { type BillChange, KEEP_BILL } from "./bill-store.ts";
import type { Call, CallEnding, RunningHold, UsageRecord } from "./call.ts";
import {
  type CallProgress,
  countUnfinished,
  listCalls,
  listRunningHolds,
  type UnfinishedCalls,
} from "./call-store.ts";
import { type CallWriter, type CallWriterDependencies, createCallWriter } from "./call-writer.ts";
import { highestChargeAfter, highestChargeOf, type UsageBounds } from "./highest-charge.ts";
import { startRecovery } from "./recovery.ts";
import { NO_TOKENS, type TokenUsage } from "./token-usage.ts";
import type { Ending, HoldChange } from "./write-calls.ts";

const MAX_UPSTREAM_REQUEST_ID_LENGTH = 256;
/** One part in so many of a hold is worth a transaction. */
const LEAST_GIVEN_BACK = 4n;
const NO_CHARGE: Charge = { amountMicrocents: ZERO, bill: null };

/** A call that is asked for. */
export interface CallRequest {
  readonly caller: Pick<Caller, "accountId" | "keyId">;
  readonly model: Model;
  readonly requestId: string;
  /** The other models that the request names, with their prices. */
  readonly otherModels?: readonly Model[];
  /** What the request asks for that multiplies prices. */
  readonly asked?: AskedTerms | undefined;
  /** The most that the call may use. */
  readonly most: UsageBounds;
}

export type Calls = ReturnType<typeof createCalls>;

/** The books of calls to models: what is held, recorded and charged. See README.md. */
export function createCalls(dependencies: CallWriterDependencies) {
  const { database, clock, log } = dependencies;
  const writer = createCallWriter(dependencies);
  const recordings = createRecordings(writer, log);
  const noted = new WeakSet<Call>();
  let unpricedCalls = 0;

  /** Once for each call, however often its end is tried. Operators have to give it a price, or to find out what it is. */
  function noteUnpriced(call: Call, { bill }: Ending): void {
    if (bill === KEEP_BILL || bill === null || bill.unpriced.length === 0 || noted.has(call)) return;
    noted.add(call);
    unpricedCalls += 1;
    const { callId, requestId, model } = call;
    const facts = { callId, requestId, model: model.modelId, unpriced: bill.unpriced };
    log.error(facts, "the upstream bills what has no price; the call is charged for as far as known");
  }

  const { track, idle } = createBackgroundWork();
  return {
    /**
     * Begins a call: its row is written, and the most that it may cost is held. From here on it is charged for what was
     * recorded of it, unless it is ended otherwise; and it must be recorded or ended within every lease.
     * @throws {InsufficientBalanceError} the available balance does not cover the most that it may cost.
     */
    async begin(request: CallRequest): Promise<Call> {
      const call = callOf(request, clock());
      await track(writer.begin(call));
      return call;
    },

    /**
     * Renews the call's lease, and writes what it has used so far, which it is charged for if this
     * process dies. Where that is more than was held, it is held as well, so that nothing else is bought with it; where the call
     * can come to far less than is held for it, the rest is given back. Never rejects: what cannot be written is logged.
     * @param estimated whether the tokens are our own estimate.
     */
    record: (call: Call, usage: TokenUsage, estimated = false): Promise<void> =>
      track(recordings.add(call, { usage, estimated })),

    /** Whether a call has used more than is held for it: then it is to be recorded at once. */
    exceedsHold: (call: Call, usage: TokenUsage): boolean => recordings.exceedsHold(call, usage),

    /**
     * Ends a call, once: outcome, tokens, charge and hold in one transaction. It is charged in full, also beyond what was
     * held and below zero. One that recovery has ended meanwhile is left as it is.
     * @throws when the database does not take it for 13 s; the call is then ended by recovery, for what was recorded.
     */
    end(call: Call, ending: CallEnding): Promise<void> {
      const written = endingOf(call, ending, recordings.close(call));
      noteUnpriced(call, written);
      return track(writer.end(written));
    },

    /** An account's calls, newest first. */
    list: (accountId: AccountId, limit: number): Promise<UsageRecord[]> =>
      listCalls(database, accountId, limit),

    /** What is held for those of an account that are running, the oldest first. */
    holds: (accountId: AccountId, limit: number): Promise<RunningHold[]> =>
      listRunningHolds(database, accountId, limit),

    /** How many calls are running in all processes, and how many of them are abandoned. */
    countUnfinished: (): Promise<UnfinishedCalls> => countUnfinished(database, clock()),

    /** How many calls of this process were charged only for as far as known. */
    unpricedCalls: (): number => unpricedCalls,

    /** See {@link startRecovery}. */
    startRecovery: (settings: { intervalMs: number }) => startRecovery({ database, clock, log }, settings),

    /** Resolves when nothing is being written of any call of this process. */
    idle,
  };
}

/** How far a call has come. */
type Seen = Pick<CallProgress, "usage" | "estimated">;

/** What may have been written of a call while it ran. */
interface Recorded {
  readonly wasItemized: boolean;
  readonly isHoldChanged: boolean;
}

/** Writes the progress of calls, each call's in its order, until the call ends. */
function createRecordings(writer: Pick<CallWriter, "record" | "changeHold">, log: Log) {
  const last = new WeakMap<Call, Promise<void>>();
  const closed = new WeakSet<Call>();
  const itemized = new WeakSet<Call>();
  /** What is known to be held for calls whose hold was changed; where it is not known whether it was, the lower of both. */
  const changed = new WeakMap<Call, Microcents>();
  const heldFor = (call: Call) => changed.get(call) ?? call.holdMicrocents;

  async function record(call: Call, seen: Seen): Promise<void> {
    if (closed.has(call)) return;
    try {
      const { amountMicrocents, bill } = chargeOf(seen.usage, call);
      const wasItemized = itemized.has(call);
      if (bill !== null) itemized.add(call);
      await writer.record({ callId: call.callId, ...seen, bill: billChange(bill, wasItemized) });
      const change = holdChange(call, seen.usage, { usedMicrocents: amountMicrocents, held: heldFor(call) });
      if (change !== null) await changeHold(call, change);
    } catch (error) {
      if (closed.has(call)) return;
      // The next one makes up for it, and the ending needs none of them.
      log.warn({ callId: call.callId, err: error }, "progress of a call was not recorded");
    }
  }

  async function changeHold(call: Call, change: NewHold): Promise<void> {
    if (closed.has(call)) return;
    changed.set(call, lower(heldFor(call), change.holdMicrocents));
    await writer.changeHold({ callId: call.callId, accountId: call.accountId, ...change });
    changed.set(call, change.holdMicrocents);
  }

  return {
    exceedsHold: (call: Call, usage: TokenUsage): boolean =>
      chargeOf(usage, call).amountMicrocents > heldFor(call),

    /** Never rejects: what cannot be written is logged. */
    add(call: Call, seen: Seen): Promise<void> {
      const before = last.get(call) ?? Promise.resolve();
      const recording = before.then(() => record(call, seen));
      last.set(call, recording);
      return recording;
    },

    /** From now on nothing more is recorded of a call: it is being ended. @returns what may have been. */
    close(call: Call): Recorded {
      closed.add(call);
      return { wasItemized: itemized.has(call), isHoldChanged: changed.has(call) };
    },
  };
}

type NewHold = Pick<HoldChange, "bound" | "holdMicrocents">;

/** What is to be held for a call instead of what is; null: nothing else. */
function holdChange(
  { most, model }: Call,
  usage: TokenUsage,
  { usedMicrocents, held }: { readonly usedMicrocents: Microcents; readonly held: Microcents },
): NewHold | null {
  if (usedMicrocents > held) return { bound: "least", holdMicrocents: usedMicrocents };
  const needed = highestChargeAfter(usage, most, model.prices);
  // What it can still come to, and at least what it has: a stream may tell more output than it was asked for.
  const enough = needed === null || needed < usedMicrocents ? usedMicrocents : needed;
  const isWorthWriting = needed !== null && LEAST_GIVEN_BACK * (held - enough) >= held;
  return isWorthWriting ? { bound: "most", holdMicrocents: enough } : null;
}

function lower(one: Microcents, other: Microcents): Microcents {
  return one < other ? one : other;
}

/** Most calls never have items, and cost no statement for them. */
function billChange(bill: Bill | null, wasItemized: boolean): BillChange {
  return bill === null && !wasItemized ? KEEP_BILL : bill;
}

/** @throws {InsufficientBalanceError} it may cost more than any account can have. */
function callOf({ caller, most, ...request }: CallRequest, createdAtMs: number): Call {
  const { model, otherModels, asked, requestId } = request;
  const holdMicrocents = highestChargeOf(most, model.prices);
  // No account has as much, and the columns would not hold it.
  if (holdMicrocents > MAX_ACCOUNT_MICROCENTS) throw InsufficientBalanceError.ofCall(holdMicrocents, null);
  const { accountId, keyId } = caller;
  const callId = newId("call");
  return {
    callId,
    accountId,
    keyId,
    model,
    otherModels,
    asked,
    requestId,
    createdAtMs,
    holdMicrocents,
    most,
  };
}

function endingOf(
  call: Call,
  { outcome, usage, estimated, upstreamRequestId }: CallEnding,
  { wasItemized, isHoldChanged }: Recorded,
): Ending {
  const { amountMicrocents, bill } = usage === null ? NO_CHARGE : chargeOf(usage, call);
  return {
    callId: call.callId,
    accountId: call.accountId,
    holdMicrocents: call.holdMicrocents,
    isHoldChanged,
    outcome,
    estimated,
    usage: usage ?? NO_TOKENS,
    amountMicrocents,
    bill: billChange(bill, wasItemized),
    upstreamRequestId: upstreamRequestId?.slice(0, MAX_UPSTREAM_REQUEST_ID_LENGTH) ?? null,
  };
}
