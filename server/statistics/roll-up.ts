import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { endLease, ROLLUPS_LEASE, takeLease } from "../database/lease-store.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import type { AccountId } from "../ids.ts";
import type { Log } from "../log.ts";
import { type Recovery, startRecoveryLoop } from "../recovery-loop.ts";
import {
  accountsBehind,
  addDueCalls,
  addOrders,
  dueCalls,
  lastSequence,
  lockProgress,
  updateProgress,
} from "./rollup-store.ts";

/** What rolling up needs. */
export interface RollUpDependencies {
  readonly database: Database;
  readonly log: Log;
  /** How many ledger entries, and how many calls, are added in one transaction; 500 when not given. */
  readonly portionSize?: number | undefined;
}

const PORTION_SIZE = 500;
const ACCOUNTS_PER_ROUND = 20;
/** The lease only saves the other processes the work: two at once add nothing twice. */
const LEASE_MS = 30_000;

/**
 * Starts adding to the rollups what is not in them, in one process at a time, until it is stopped.
 * @param intervalMs how long it rests at first, and when nothing is left.
 */
export function startRollingUp(
  dependencies: RollUpDependencies,
  { intervalMs }: { intervalMs: number },
): Recovery {
  const { database, log } = dependencies;
  const holder = randomUUID();
  let after = "";
  let isMoreLeft = false;
  let hasBegun = false;

  /** Gives the next accounts a turn each. @returns whether there may be more to do. */
  async function rollUpNext(): Promise<boolean> {
    if (!(await takeLease(database, { name: ROLLUPS_LEASE, holder, leaseMs: LEASE_MS }))) return false;
    try {
      const accountIds = await accountsBehind(database, after, ACCOUNTS_PER_ROUND);
      if (after === "") isMoreLeft = false;
      for (const accountId of accountIds) {
        if (await atHalfSpeed(() => rollUpAlone(accountId))) isMoreLeft = true;
      }
      // All others have their turn before the first has another.
      after = accountIds.length < ACCOUNTS_PER_ROUND ? "" : (accountIds.at(-1) ?? "");
      return isMoreLeft || after !== "";
    } finally {
      await endLease(database, ROLLUPS_LEASE, holder);
    }
  }

  async function rollUpAlone(accountId: AccountId): Promise<boolean> {
    return rollUpPortion(dependencies, accountId).catch((error: unknown) => {
      log.error({ accountId, err: error }, "an account's statistics were not rolled up");
      return false;
    });
  }

  return startRecoveryLoop(intervalMs, async (rest) => {
    if (!hasBegun) {
      hasBegun = true;
      // A process that starts has more urgent things to do.
      return rest();
    }
    const more = await rollUpNext().catch((error: unknown) => {
      log.error({ err: error }, "statistics were not rolled up");
      return false;
    });
    if (!more) await rest();
  });
}

/** Adds all that is not in the rollups yet; what comes meanwhile may be left. */
export async function rollUpAll(dependencies: RollUpDependencies): Promise<void> {
  for (let after = ""; ; ) {
    const accountIds = await accountsBehind(dependencies.database, after, ACCOUNTS_PER_ROUND);
    for (const accountId of accountIds) while (await rollUpPortion(dependencies, accountId));
    const last = accountIds.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Adds some of what an account has that is not in the rollups. @returns whether there may be more. */
async function rollUpPortion(
  { database, portionSize = PORTION_SIZE }: RollUpDependencies,
  accountId: AccountId,
): Promise<boolean> {
  const moreEntries = await transaction(database, (tx) => rollUpEntries(tx, accountId, portionSize));
  const moreCalls = await transaction(database, (tx) => rollUpCalls(tx, accountId, portionSize));
  return moreEntries || moreCalls;
}

/** Adds the deliveries and refunds among the next entries of an account's ledger. @returns whether there are more. */
async function rollUpEntries(tx: Transaction, accountId: AccountId, limit: number): Promise<boolean> {
  const after = await lockProgress(tx, accountId);
  const last = await lastSequence(tx, accountId);
  const next = after + BigInt(limit);
  const upTo = next < last ? next : last;
  if (upTo <= after) return false;
  await addOrders(tx, accountId, { after, upTo });
  await updateProgress(tx, accountId, upTo);
  return upTo < last;
}

/** @returns whether there may be more. */
async function rollUpCalls(tx: Transaction, accountId: AccountId, limit: number): Promise<boolean> {
  await lockProgress(tx, accountId);
  const callIds = await dueCalls(tx, accountId, limit);
  if (callIds.length === 0) return false;
  await addDueCalls(tx, accountId, callIds);
  return callIds.length === limit;
}

/** Rests for as long as the work took, so that a long history is not rolled up at the cost of those who order. */
async function atHalfSpeed<T>(work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const result = await work();
  await delay(performance.now() - startedAtMs);
  return result;
}
