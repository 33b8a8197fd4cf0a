import { setTimeout as delay } from "node:timers/promises";
import type { PoolConnection } from "mysql2";
import { command, type Database, type Session, sessionInTransaction } from "./database.ts";
import {
  CommitOutcomeUnknownError,
  ContentionError,
  isConnectionLost,
  isContention,
  isLockTimeout,
  isReadOnly,
  isSlowToAnswer,
  isStatementTimeLimit,
  named,
  RowsInUseError,
} from "./faults.ts";

/** A session whose statements take effect together or not at all. */
export interface Transaction extends Session {
  readonly inTransaction: true;
  readonly lockWait: LockWait;
}

/**
 * How a transaction waits for contested rows: in line, for as long as any lock is waited for, which is why it locks them before
 * what others want; or briefly, since others may be waiting for what it has locked already ({@link lockContested}).
 */
export type LockWait = "in line" | "brief";

/** How each attempt at a transaction waits; there are as many attempts. */
export type LockWaits = readonly [LockWait, ...LockWait[]];

export const IN_LINE: LockWaits = ["in line", "in line", "in line", "in line", "in line"];
export const BRIEF: LockWaits = ["brief", "brief", "brief", "brief", "brief"];
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 160;

/**
 * Runs `work` in one transaction at READ COMMITTED and commits it; what `work` throws rolls it back.
 * The whole of it is run again, at most 5 times where nothing else is said, and after a random pause, when the database refused it
 * because of other transactions, may not write any more, or lost the connection before COMMIT was sent. So `work` must have no
 * effect outside of `tx`. It is not run again when it waited in vain for a lock or an answer, which took seconds: whoever else
 * waits behind the same row would wait for longer. Rows that were not to be had in a moment are waited for only where the next
 * attempt does so in line.
 * @throws {CommitOutcomeUnknownError} COMMIT was sent, and what came of it is not known.
 * @throws {ContentionError} it was refused because of other transactions, in the last attempt.
 * @throws {RowsInUseError} the same, because of contested rows.
 * @throws {DatabaseUnavailableError} the database could not be reached, or could not work; nothing took effect.
 */
export async function transaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
  lockWaits: LockWaits = IN_LINE,
): Promise<T> {
  let [lockWait] = lockWaits;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(database, work, lockWait);
    } catch (error) {
      const next = lockWaits[attempt];
      if (next === undefined || !mayRepeat(error, lockWait, next))
        throw isInTheWay(error) ? new ContentionError(error) : named(error);
      lockWait = next;
      await delay(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS));
    }
  }
}

/** Whether others were in the way; also where a statement was given up that the limit of the one before came too late for. */
function isInTheWay(error: unknown): boolean {
  return isContention(error) || isStatementTimeLimit(error);
}

function mayRepeat(error: unknown, lockWait: LockWait, next: LockWait): boolean {
  if (error instanceof RowsInUseError) return lockWait === "brief" && next === "in line";
  if (isLockTimeout(error) || isSlowToAnswer(error)) return false;
  return isContention(error) || isConnectionLost(error) || isReadOnly(error);
}

async function attemptOnce<T>(
  { writing }: Database,
  work: (tx: Transaction) => Promise<T>,
  lockWait: LockWait,
): Promise<T> {
  const connection = await writing.acquire();
  try {
    await command(connection, "START TRANSACTION");
    const result = await work({ ...sessionInTransaction(connection), inTransaction: true, lockWait });
    await commit(connection);
    return result;
  } catch (error) {
    await abandon(connection, error);
    throw error;
  } finally {
    connection.release();
  }
}

async function commit(connection: PoolConnection): Promise<void> {
  try {
    await command(connection, "COMMIT");
  } catch (error) {
    // What is not known as a rollback is none: proxies between answer with errors of their own.
    throw isContention(error) ? error : new CommitOutcomeUnknownError(error);
  }
}

// After 1205 the server has undone only the last statement, so the rollback must reach it; a connection that cannot even
// roll back is thrown away, and the server rolls back when it notices. So is one to a server that may not write any more,
// for the next one may lead elsewhere.
async function abandon(connection: PoolConnection, error: unknown): Promise<void> {
  if (error instanceof CommitOutcomeUnknownError || isReadOnly(error)) return connection.destroy();
  try {
    await command(connection, "ROLLBACK");
  } catch {
    connection.destroy();
  }
}
