import { setTimeout as delay } from "node:timers/promises";
import type { PoolConnection } from "mysql2/promise";
import { command, type Database, type Session, sessionOn } from "./database.ts";
import { isConnectionLost, isContention, isLockTimeout } from "./faults.ts";

/** A session whose statements take effect together or not at all. */
export interface Transaction extends Session {
  readonly inTransaction: true;
}

/** COMMIT was sent and its answer never came: the work may or may not have taken effect. Look; never guess. */
export class CommitOutcomeUnknownError extends Error {
  constructor(cause: unknown) {
    super("The connection was lost while the transaction was being committed.", { cause });
    this.name = "CommitOutcomeUnknownError";
  }
}

/** Other transactions were in the way, however often it was tried; nothing took effect and the same may be tried again. */
export class ContentionError extends Error {
  constructor(cause: unknown) {
    super("The transaction met others in its way.", { cause });
    this.name = "ContentionError";
  }
}

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 5;

/**
 * Runs `work` in one transaction at READ COMMITTED and commits it; what `work` throws rolls it back.
 * The whole of it is run again, at most 5 times and after a random pause, when the database refused it because of
 * other transactions or lost the connection before COMMIT was sent. So `work` must have no effect outside of `tx`.
 * @param retriesLockTimeout whether it is also run again when it waited in vain for a lock, which takes seconds.
 * @throws {CommitOutcomeUnknownError} the connection broke after COMMIT was sent.
 * @throws {ContentionError} it was refused because of other transactions, in the last attempt.
 */
export async function transaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
  { retriesLockTimeout = true }: { retriesLockTimeout?: boolean } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce(database, work);
    } catch (error) {
      if (!isContention(error) && !isConnectionLost(error)) throw error;
      const isLast = attempt === MAX_ATTEMPTS || (!retriesLockTimeout && isLockTimeout(error));
      if (isLast) throw isContention(error) ? new ContentionError(error) : error;
      await delay(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
    }
  }
}

async function attemptOnce<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const connection = await database.pool.getConnection();
  try {
    await command(connection, "START TRANSACTION");
    const result = await work({ ...sessionOn(connection), inTransaction: true });
    await commit(connection);
    return result;
  } catch (error) {
    await rollBack(connection);
    throw error;
  } finally {
    connection.release();
  }
}

async function commit(connection: PoolConnection): Promise<void> {
  try {
    await command(connection, "COMMIT");
  } catch (error) {
    if (isConnectionLost(error)) throw new CommitOutcomeUnknownError(error);
    throw error;
  }
}

// After 1205 the server has undone only the last statement, so the rollback must reach it; a connection that
// cannot even roll back is thrown away, and the server rolls back when it notices.
async function rollBack(connection: PoolConnection): Promise<void> {
  try {
    await command(connection, "ROLLBACK");
  } catch {
    connection.destroy();
  }
}
