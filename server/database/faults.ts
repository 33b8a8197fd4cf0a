/** What a failed statement means for the transaction that it was part of. */

const DUPLICATE_KEY = 1062;

const LOCK_TIMEOUT = 1205;

// MySQL's answer to a statement that does not wait; MariaDB's is 1205.
const LOCK_NOT_AVAILABLE = 3572;

// 1213: deadlock, also at COMMIT on a Galera cluster; 1020: MariaDB's snapshot conflict.
const CONTENTION = new Set([LOCK_TIMEOUT, 1213, 1020]);

// 1053: server shutdown in progress; 1927: connection was killed; 4031: closed for inactivity.
const LOST_CONNECTION_NUMBERS = new Set([1053, 1927, 4031]);
const LOST_CONNECTION_CODES = new Set([
  "PROTOCOL_CONNECTION_LOST",
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT",
]);

/** Whether a unique key refused the row. */
export function isDuplicateKey(error: unknown): boolean {
  return faultOf(error).errno === DUPLICATE_KEY;
}

/** Whether other transactions were in the way, so that the whole transaction may be run again after a rollback. */
export function isContention(error: unknown): boolean {
  return CONTENTION.has(faultOf(error).errno ?? 0);
}

/** Whether a lock was not got in time. */
export function isLockTimeout(error: unknown): boolean {
  return faultOf(error).errno === LOCK_TIMEOUT;
}

/** Whether a statement that does not wait for locks (`NOWAIT`) met one. */
export function isLockTaken(error: unknown): boolean {
  return isLockTimeout(error) || faultOf(error).errno === LOCK_NOT_AVAILABLE;
}

/** Whether the server cannot be reached any more; what was not committed is undone by it. */
export function isConnectionLost(error: unknown): boolean {
  const { errno, code, fatal } = faultOf(error);
  return LOST_CONNECTION_NUMBERS.has(errno ?? 0) || LOST_CONNECTION_CODES.has(code ?? "") || fatal === true;
}

interface DriverFault {
  errno?: number;
  code?: string;
  fatal?: boolean;
}

function faultOf(error: unknown): DriverFault {
  return error instanceof Error ? (error as DriverFault) : {};
}
