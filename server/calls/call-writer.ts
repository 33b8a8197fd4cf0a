import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import { combinedTransaction } from "../database/combined-transaction.ts";
import type { Database } from "../database/database.ts";
import { CommitOutcomeUnknownError, ContentionError, isDuplicateKey, isOutage } from "../database/faults.ts";
import type { Log } from "../log.ts";
import type { Call } from "./call.ts";
import { CallNotRunningError, type CallProgress, updateProgress } from "./call-store.ts";
import { changeHoldsOfCalls, type Ending, type HoldChange, writeCalls } from "./write-calls.ts";

// An ending is tried for about 13 s; recovery ends what could not be ended by then.
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** What writing calls needs. */
export interface CallWriterDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** How long after its lease was last renewed a call is taken for abandoned; the same in all processes. */
  readonly leaseMs: number;
}

/** Writes calls into the books; those that come together share transactions. */
export interface CallWriter {
  /** Writes the row of a call that begins. @throws {InsufficientBalanceError} */
  begin(call: Call): Promise<void>;
  /** Renews a call's lease and writes how far it has come. @throws {CallNotRunningError} */
  record(progress: CallProgress): Promise<void>;
  /** Holds more or less for a call that runs; one that has ended is left as it is. */
  changeHold(change: HoldChange): Promise<void>;
  /** Ends a call, once; one that has ended before is left as it is. @throws when the database does not take it for 13 s. */
  end(ending: Ending): Promise<void>;
}

type WriteCall = (call: Call | Ending) => Promise<void>;

export function createCallWriter({ database, clock, log, leaseMs }: CallWriterDependencies): CallWriter {
  // What begins and what ends go into the same transactions.
  const writeCall = combinedTransaction<Call | Ending>(
    database,
    (tx, calls) => {
      const begun = calls.filter((call): call is Call => !isEnding(call));
      const ended = calls.filter(isEnding);
      return writeCalls(tx, { begun, ended }, { nowMs: clock(), leaseMs });
    },
    {
      kindOf: isEnding,
      rowsOf: ({ accountId }) => [accountId],
      contestedOf: ({ accountId }) => accountId,
    },
  );
  const record = combinedTransaction<CallProgress>(database, (tx, progress) =>
    updateProgress(tx, progress, clock() + leaseMs),
  );
  // Apart from the records: it waits for the account's row, which the renewal of leases does not.
  const changeHold = combinedTransaction<HoldChange>(database, changeHoldsOfCalls, {
    rowsOf: ({ accountId }) => [accountId],
    contestedOf: ({ accountId }) => accountId,
  });
  return {
    begin: (call) => beginOnce(writeCall, call),
    record,
    changeHold,
    end: (ending) => endOnce(writeCall, ending, log),
  };
}

// When the answer to a commit is lost, the same row is written once more: that waits for the first transaction if it
// is still there, and meets its row if it was committed.
async function beginOnce(writeCall: WriteCall, call: Call): Promise<void> {
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
async function endOnce(writeCall: WriteCall, ending: Ending, log: Log): Promise<void> {
  let inDoubt = false;
  for (let attempt = 1, pauseMs = FIRST_PAUSE_MS; ; attempt += 1) {
    try {
      return await writeCall(ending);
    } catch (error) {
      if (error instanceof CallNotRunningError) {
        const { callId, outcome } = ending;
        if (!inDoubt) log.warn({ callId, outcome }, "call had ended before; it is left as it is");
        return;
      }
      if (!isTransient(error) || attempt === MAX_ATTEMPTS) throw error;
      inDoubt ||= error instanceof CommitOutcomeUnknownError;
    }
    await delay(pauseMs);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  }
}

function isEnding(call: Call | Ending): call is Ending {
  return "outcome" in call;
}

/** Whether the same may succeed in a moment. */
function isTransient(error: unknown): boolean {
  return error instanceof CommitOutcomeUnknownError || error instanceof ContentionError || isOutage(error);
}
