import type { Clock } from "../clock.ts";
import { paddedToPowerOfTwo } from "../database/batched-read.ts";
import type { Database } from "../database/database.ts";
import { inPowerOfTwoChunks } from "../database/many-rows.ts";
import { transaction } from "../database/transaction.ts";
import type { CallId } from "../ids.ts";
import type { Log } from "../log.ts";
import { type Recovery, startRecoveryLoop } from "../recovery-loop.ts";
import { sumOf } from "./bill.ts";
import { KEEP_BILL } from "./bill-store.ts";
import { type AbandonedCall, findAbandoned, lockAbandoned } from "./call-store.ts";
import { costOf } from "./token-usage.ts";
import { type Ending, writeEndings } from "./write-calls.ts";

/** What recovering calls needs. */
export interface RecoveryDependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

const BATCH_SIZE = 64;

/**
 * Starts looking for calls whose lease has run out, until it is stopped. They are charged for what was recorded of them:
 * more than that cannot be known.
 * @param intervalMs how long it rests when there are none.
 */
export function startRecovery(
  dependencies: RecoveryDependencies,
  { intervalMs }: { intervalMs: number },
): Recovery {
  return startRecoveryLoop(intervalMs, async (rest) => {
    const more = await endSome(dependencies).catch((error: unknown) => {
      dependencies.log.error({ err: error }, "abandoned calls could not be ended");
      return false;
    });
    if (!more) await rest();
  });
}

/** @returns whether there may be more. */
async function endSome(dependencies: RecoveryDependencies): Promise<boolean> {
  const abandoned = await findAbandoned(dependencies.database, dependencies.clock(), BATCH_SIZE);
  if (abandoned.length === 0) return false;
  const ended = await endAbandoned(dependencies, abandoned);
  if (ended > 0) dependencies.log.warn({ calls: ended }, "ended calls that their process had abandoned");
  return ended === BATCH_SIZE;
}

/**
 * Ends those of the calls that are still abandoned, in one transaction; when one fails the batch, each alone.
 * @returns how many were ended.
 */
async function endAbandoned(dependencies: RecoveryDependencies, callIds: readonly CallId[]): Promise<number> {
  try {
    return await endTogether(dependencies, callIds);
  } catch (error) {
    if (callIds.length === 1) {
      dependencies.log.error({ callId: callIds[0], err: error }, "abandoned call not ended");
      return 0;
    }
  }
  let ended = 0;
  for (const callId of callIds) ended += await endAbandoned(dependencies, [callId]);
  return ended;
}

function endTogether({ database, clock }: RecoveryDependencies, callIds: readonly CallId[]): Promise<number> {
  return transaction(database, async (tx) => {
    const nowMs = clock();
    const abandoned = await lockAbandoned(tx, paddedToPowerOfTwo(callIds), nowMs);
    // They are sorted by account, so the accounts' locks are taken in order over all of the lists.
    for (const some of inPowerOfTwoChunks(abandoned)) await writeEndings(tx, some.map(toEnding), nowMs);
    return abandoned.length;
  });
}

function toEnding({ prices, items, ...call }: AbandonedCall): Ending {
  return {
    ...call,
    outcome: "upstream_failed",
    amountMicrocents: items === null ? costOf(call.usage, prices) : sumOf(items),
    bill: KEEP_BILL,
    upstreamRequestId: null,
  };
}
