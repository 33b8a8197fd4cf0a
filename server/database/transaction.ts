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
  named,
  StatementTimeoutError,
} from "./faults.ts";

/** A session whose statements take effect together or not at all. */
export interface Transaction extends Session {
  readonly inTransaction: true;
}

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 5;

/**
 * Runs `work` in one transaction at READ COMMITTED and commits it; what `work` throws rolls it back.
 * The whole of it is run again, at most 5 times and after a random pause, when the database refused it because of
 * other transactions, may not write any more, or lost the connection before COMMIT was sent. So `work` must have no effect
 * outside of `tx`. It is not run again when it waited in vain for a lock or an answer, which took seconds: whoever else
 * waits behind the same row would wait for longer.
 * @throws {CommitOutcomeUnknownError} COMMIT was sent, and what came of it is not known.
 * @throws {ContentionError} it was refused because of other transactions, in the last attempt.
 * @throws {DatabaseUnavailableError} the database could not be reached, or could not work; nothing took effect.
 */
export async function transaction<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(database, work);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !mayRepeat(error))
        throw isContention(error) ? new ContentionError(error) : named(error);
      await delay(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}

function mayRepeat(error: unknown): boolean {
  if (isLockTimeout(error) || error instanceof StatementTimeoutError) return false;
  return isContention(error) || isConnectionLost(error) || isReadOnly(error);
}

async function attemptOnce<T>({ writing }: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const connection = await writing.acquire();
  try {
    await command(connection, "START TRANSACTION");
    const result = await work({ ...sessionInTransaction(connection), inTransaction: true });
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
