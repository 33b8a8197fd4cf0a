import { setTimeout as delay } from "node:timers/promises";
import { createBackgroundWork } from "../background-work.ts";
import type { Clock } from "../clock.ts";
import { combinedTransaction } from "../database/combined-write.ts";
import type { Database } from "../database/database.ts";
import { isConnectionLost, isDuplicateKey } from "../database/faults.ts";
import { CommitOutcomeUnknownError, ContentionError } from "../database/transaction.ts";
import { type AccountId, newId } from "../ids.ts";
import type { Caller } from "../keys/api-key.ts";
import { InsufficientBalanceError } from "../ledger/errors.ts";
import type { Log } from "../log.ts";
import type { Model } from "../models/model.ts";
import { MAX_ACCOUNT_MICROCENTS, ZERO } from "../money/microcents.ts";
import type { Call, CallEnding, UsageRecord } from "./call.ts";
import {
  CallNotRunningError,
  type CallProgress,
  countUnfinished,
  listCalls,
  type UnfinishedCalls,
  updateProgress,
} from "./call-store.ts";
import { type CallRecovery, startRecovery } from "./recovery.ts";
import { costOf, NO_TOKENS, type TokenUsage } from "./token-usage.ts";
import { type Ending, writeCalls } from "./write-calls.ts";

// An ending is tried for about 13 s; recovery ends what could not be ended by then.
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const MAX_UPSTREAM_REQUEST_ID_LENGTH = 256;

/** What calls need. */
interface Options {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** How long after its last sign of life a call is taken for abandoned; the same in all processes. */
  readonly leaseMs: number;
}

/** A call that is asked for. */
export interface CallRequest {
  readonly caller: Pick<Caller, "accountId" | "keyId">;
  readonly model: Model;
  readonly requestId: string;
  /** The most that the call may use: input that may be written into the cache counts as such where that costs more. */
  readonly most: TokenUsage;
}

export type Calls = ReturnType<typeof createCalls>;

/** The books of calls to models: what is held, recorded and charged. See README.md. */
export function createCalls({ database, clock, log, leaseMs }: Options) {
  const { track, idle } = createBackgroundWork();
  const recordings = new WeakMap<Call, Promise<void>>();
  const ending = new WeakSet<Call>();
  // What begins and what ends go into the same transactions.
  const writeCall = combinedTransaction<Call | Ending>(
    database,
    (tx, calls) => {
      const begun = calls.filter((call): call is Call => !isEnding(call));
      const ended = calls.filter(isEnding);
      return writeCalls(tx, { begun, ended }, { nowMs: clock(), leaseMs });
    },
    isEnding,
  );
  const writeProgress = combinedTransaction<CallProgress>(database, (tx, progress) =>
    updateProgress(tx, progress, clock() + leaseMs),
  );

  // When the answer to a commit is lost, the same row is written once more: that waits for the first transaction if it
  // is still there, and meets its row if it was committed.
  async function begin(call: Call): Promise<void> {
    let inDoubt = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await writeCall(call);
      } catch (error) {
        if (inDoubt && isDuplicateKey(error)) return;
        if (!(error instanceof CommitOutcomeUnknownError) || attempt === MAX_ATTEMPTS) throw error;
        inDoubt = true;
      }
    }
  }

  // The same here: a call that has ended is not ended again.
  async function end(written: Ending): Promise<void> {
    let inDoubt = false;
    for (let attempt = 1, pauseMs = FIRST_PAUSE_MS; ; attempt += 1) {
      try {
        return await writeCall(written);
      } catch (error) {
        if (error instanceof CallNotRunningError) {
          const { callId, outcome } = written;
          if (!inDoubt) log.warn({ callId, outcome }, "call had ended before; it is left as it is");
          return;
        }
        if (!mayPass(error) || attempt === MAX_ATTEMPTS) throw error;
        inDoubt ||= error instanceof CommitOutcomeUnknownError;
      }
      await delay(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }

  async function record(call: Call, progress: CallProgress): Promise<void> {
    if (ending.has(call)) return;
    try {
      await writeProgress(progress);
    } catch (error) {
      if (ending.has(call)) return;
      // The next one makes up for it, and the ending needs none of them.
      log.warn({ callId: call.callId, err: error }, "progress of a call was not recorded");
    }
  }

  return {
    /**
     * Begins a call: its row is written, and the most that it may cost is held. From here on it is charged for what was
     * recorded of it, unless it is ended otherwise; and it must be recorded or ended within every lease.
     * @throws {InsufficientBalanceError} the available balance does not cover the most that it may cost.
     */
    async begin({ caller: { accountId, keyId }, model, requestId, most }: CallRequest): Promise<Call> {
      const holdMicrocents = costOf(most, model.prices);
      // No account has as much, and the columns would not hold it.
      if (holdMicrocents > MAX_ACCOUNT_MICROCENTS) throw InsufficientBalanceError.ofCall(holdMicrocents);
      const callId = newId("call");
      const call = { callId, accountId, keyId, model, requestId, createdAtMs: clock(), holdMicrocents };
      await track(begin(call));
      return call;
    },

    /**
     * A sign of life: renews the call's lease, and writes what it has used so far, which it is charged for if this
     * process dies. Never rejects: what cannot be written is logged.
     * @param estimated whether the tokens are our own estimate.
     */
    record(call: Call, usage: TokenUsage, estimated = false): Promise<void> {
      const progress = { callId: call.callId, usage, estimated };
      const before = recordings.get(call) ?? Promise.resolve();
      const recording = track(before.then(() => record(call, progress)));
      recordings.set(call, recording);
      return recording;
    },

    /**
     * Ends a call, once: outcome, tokens, charge and hold in one transaction. It is charged in full, also beyond what was
     * held and below zero. One that recovery has ended meanwhile is left as it is.
     * @throws when the database does not take it for 13 s; the call is then ended by recovery, for what was recorded.
     */
    end(call: Call, { outcome, usage, estimated, upstreamRequestId }: CallEnding): Promise<void> {
      ending.add(call);
      return track(
        end({
          callId: call.callId,
          accountId: call.accountId,
          holdMicrocents: call.holdMicrocents,
          outcome,
          estimated,
          usage: usage ?? NO_TOKENS,
          amountMicrocents: usage === null ? ZERO : costOf(usage, call.model.prices),
          upstreamRequestId: upstreamRequestId?.slice(0, MAX_UPSTREAM_REQUEST_ID_LENGTH) ?? null,
        }),
      );
    },

    /** An account's calls, newest first. */
    list: (accountId: AccountId, limit: number): Promise<UsageRecord[]> =>
      listCalls(database, accountId, limit),

    /** How many calls are running in all processes, and how many of them are abandoned. */
    countUnfinished: (): Promise<UnfinishedCalls> => countUnfinished(database, clock()),

    /** See {@link startRecovery}. */
    startRecovery: (settings: { intervalMs: number }): CallRecovery =>
      startRecovery({ database, clock, log }, settings),

    /** Resolves when nothing is being written of any call of this process. */
    idle,
  };
}

function isEnding(call: Call | Ending): call is Ending {
  return "outcome" in call;
}

/** Whether the same may succeed in a moment. */
function mayPass(error: unknown): boolean {
  return (
    error instanceof CommitOutcomeUnknownError || error instanceof ContentionError || isConnectionLost(error)
  );
}
