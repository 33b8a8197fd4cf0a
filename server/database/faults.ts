/** What a failed statement means for the transaction that it was part of. */
import { DomainError, ServiceUnavailableError } from "../errors.ts";

/** The database is out of reach, or may not write any more; what was asked for has not taken effect. */
export class DatabaseUnavailableError extends ServiceUnavailableError {
  readonly code = "database_unavailable";
  readonly retryAfterSeconds = 2;

  constructor(cause: unknown) {
    super("The service cannot reach its data at the moment. Wait, then retry.");
    this.cause = cause;
  }
}

/**
 * COMMIT was sent, or a change that stands alone, and its answer is not known to mean that nothing took effect, or it never
 * came: the work may or may not have taken effect. Look; never guess.
 */
export class CommitOutcomeUnknownError extends DomainError {
  readonly code = "commit_outcome_unknown";

  constructor(cause: unknown) {
    super("The database did not say whether the change was made.");
    this.cause = cause;
  }
}

/** Other transactions were in the way, however often it was tried; nothing took effect and the same may be tried again. */
export class ContentionError extends ServiceUnavailableError {
  readonly code = "contention";
  readonly retryAfterSeconds = 1;

  constructor(cause: unknown) {
    super("Others work on the same at the moment. Wait, then retry.");
    this.cause = cause;
  }
}

/** Others hold contested rows, which were not waited for any longer; nothing took effect. */
export class RowsInUseError extends ContentionError {
  /** The names of those that others held just now; empty where that is not known. */
  readonly rows: ReadonlySet<string>;

  constructor(cause: unknown, rows: Iterable<string> = []) {
    super(cause);
    this.rows = new Set(rows);
  }
}

/** No connection to the database was free in time. */
export class ConnectionWaitError extends Error {
  override readonly name = "ConnectionWaitError";

  constructor() {
    super("No connection to the database was free in time.");
  }
}

/** The database did not answer a statement in time; its connection has been given up. */
export class StatementTimeoutError extends Error {
  override readonly name = "StatementTimeoutError";

  constructor() {
    super("The database did not answer in time.");
  }
}

/** The database has undone a transaction because of others, and did not say so. */
export class TransactionUndoneError extends Error {
  override readonly name = "TransactionUndoneError";

  constructor() {
    super("The database has undone the transaction without a word.");
  }
}

const DUPLICATE_KEY = 1062;
const DEADLOCK = 1213;
const UNKNOWN_VARIABLE = 1193;

// 3572: MySQL's name for a lock that was not to be waited for.
const LOCK_TIMEOUT = new Set([1205, 3572]);

// 1213: deadlock, also at COMMIT on a Galera cluster; 1020: MariaDB's snapshot conflict; 3101: Group Replication refused
// the transaction at COMMIT.
const CONTENTION = new Set([...LOCK_TIMEOUT, DEADLOCK, 1020, 3101]);
// Galera's refusal at COMMIT by way of the storage engine.
const ERROR_DURING_COMMIT = 1180;
const HANDLER_DEADLOCK = /\berror:? 149\b/i;

// 1290: --read-only or --super-read-only; 1792 and 1836: the same by other ways; 3100: a member without its group;
// 1047: a Galera node without its cluster, which also takes other commands for unknown ones.
const MAY_NOT_WRITE = new Set([1290, 1792, 1836, 3100, 1047]);

// 1053: server shutdown in progress; 1927: connection was killed; 4031: closed for inactivity; 1317: statement was killed.
const LOST_CONNECTION_NUMBERS = new Set([1053, 1927, 4031, 1317]);
const LOST_CONNECTION_CODES = new Set([
  "PROTOCOL_CONNECTION_LOST",
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT",
]);

// 1040: too many connections; 1203 and 1226: too many of this user; 1129: the host is blocked; 1461: too many statements are
// prepared.
const REFUSED = new Set([1040, 1203, 1226, 1129, 1461]);
// What the server has no room for. 1016: it may open no more files; 1021 and 1114: a full disk or tablespace; 1037, 1038 and 1041:
// memory; 1135: threads.
const NO_ROOM = new Set([1016, 1021, 1114, 1037, 1038, 1041, 1135]);
// What proxies between answer with, and what clients call their own faults.
const FROM_PROXY = (errno: number) => (errno >= 2000 && errno < 3000) || errno >= 9000;

/** Whether a unique key refused the row. */
export function isDuplicateKey(error: unknown): boolean {
  return faultOf(error).errno === DUPLICATE_KEY;
}

/** Whether the server has no such variable. */
export function isUnknownVariable(error: unknown): boolean {
  return faultOf(error).errno === UNKNOWN_VARIABLE;
}

/** Whether other transactions were in the way, so that the whole transaction may be run again after a rollback. */
export function isContention(error: unknown): boolean {
  if (error instanceof TransactionUndoneError) return true;
  const { errno = 0, message } = faultOf(error);
  return CONTENTION.has(errno) || (errno === ERROR_DURING_COMMIT && HANDLER_DEADLOCK.test(message ?? ""));
}

/** Whether a lock was not got in time, or not at once where it was not to be waited for. */
export function isLockTimeout(error: unknown): boolean {
  return LOCK_TIMEOUT.has(faultOf(error).errno ?? 0);
}

/** Whether the server has undone the transaction, since it and another waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return faultOf(error).errno === DEADLOCK;
}

/** Whether a statement took longer than the limit that it has of its own. 1969: MariaDB; 3024: MySQL. */
export function isStatementTimeLimit(error: unknown): boolean {
  return [1969, 3024].includes(faultOf(error).errno ?? 0);
}

/** Whether the server may not write any more, so that the next connection may lead to one that may. */
export function isReadOnly(error: unknown): boolean {
  return MAY_NOT_WRITE.has(faultOf(error).errno ?? 0);
}

/** Whether the server cannot be reached any more; what was not committed is undone by it. */
export function isConnectionLost(error: unknown): boolean {
  const { errno = 0, code = "", fatal } = faultOf(error);
  if (causeOf(error) instanceof StatementTimeoutError) return true;
  return LOST_CONNECTION_NUMBERS.has(errno) || LOST_CONNECTION_CODES.has(code) || fatal === true;
}

/** Whether the database cannot do anything at the moment, whatever was asked of it. */
export function isOutage(error: unknown): boolean {
  if (causeOf(error) instanceof ConnectionWaitError || isConnectionLost(error) || isReadOnly(error))
    return true;
  const { errno = 0 } = faultOf(error);
  return REFUSED.has(errno) || NO_ROOM.has(errno) || FROM_PROXY(errno);
}

/** Whether the database has neither answered in time nor refused: it may be slow, or not be there at all. */
export function isSlowToAnswer(error: unknown): boolean {
  const cause = causeOf(error);
  const isTimeout = cause instanceof ConnectionWaitError || cause instanceof StatementTimeoutError;
  return isTimeout || faultOf(error).code === "ETIMEDOUT";
}

/** An outage under its own name; any other error as it is. */
export function named(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError || !isOutage(error)) return error;
  return new DatabaseUnavailableError(error);
}

/**
 * The same for a read that stood alone. It takes no locks, so it waits for one only on a server of a cluster that is behind the
 * others, or cut off from them.
 */
export function namedRead(error: unknown): unknown {
  return isContention(error) ? new DatabaseUnavailableError(error) : named(error);
}

/** The same for a change that stood alone: it is asked for and committed in one, so no answer is no proof that it failed. */
export function namedChange(error: unknown): unknown {
  if (isConnectionLost(error) || FROM_PROXY(faultOf(error).errno ?? 0))
    return new CommitOutcomeUnknownError(error);
  return isContention(error) ? new ContentionError(error) : named(error);
}

interface DriverFault {
  errno?: number;
  code?: string;
  fatal?: boolean;
  message?: string;
}

function faultOf(error: unknown): DriverFault {
  const cause = causeOf(error);
  return cause instanceof Error ? (cause as DriverFault) : {};
}

/** What the driver said, where that has been given a name since. Of a COMMIT it says too little to act upon. */
function causeOf(error: unknown): unknown {
  return error instanceof DatabaseUnavailableError ? error.cause : error;
}
