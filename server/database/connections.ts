import mysql, { type Pool, type PoolConnection } from "mysql2";
import { Answers } from "./answers.ts";
import { ConnectionWaitError, isUnknownVariable } from "./faults.ts";

/** How long a connection may take to be made. */
const CONNECT_TIMEOUT_MS = 5_000;
/** How long work waits for a connection. */
const WAIT_MS = 5_000;
/** The same where the database has not answered anybody: whoever asks is told soon, and may ask another process. */
const WAIT_UNANSWERED_MS = 500;
/** As much work as waits for each connection; more is refused at once, for it would wait in vain. */
const MAX_WAITING_PER_CONNECTION = 64;
/** As many statements as each keeps prepared; two processes of the default size fit into what servers allow. */
export const STATEMENTS_PER_CONNECTION = 240;
const KEEP_ALIVE_MS = 10_000;
const LOCK_WAIT_SECONDS = 2;
const IDLE_TRANSACTION_SECONDS = 5;
/** Less than the server allows, so that it is this process that gives an unused connection up. */
const IDLE_CONNECTION_MS = 3_000;

/**
 * What every session is set to. Guarded updates are written for READ COMMITTED: at REPEATABLE READ both engines lose
 * updates silently. A process that is frozen or cut off in a transaction must not keep its locks: MariaDB ends such a
 * transaction; MySQL knows no such limit, so there the connection itself is ended when nothing is asked of it.
 */
const SESSION_SETTINGS = [
  "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
  `SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}, lock_wait_timeout = ${LOCK_WAIT_SECONDS}, ` +
    `/*M! idle_transaction_timeout = ${IDLE_TRANSACTION_SECONDS}, */ ` +
    `/*!80000 wait_timeout = ${IDLE_TRANSACTION_SECONDS}, */ ` +
    "time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY'",
];

/**
 * What a session on one of several servers that replicate to each other is set to: it sees what has been committed on any of
 * them. Servers alone do not know these settings, or not in this form.
 */
const CLUSTER_SETTINGS = [
  "/*M! SET SESSION wsrep_sync_wait = 7 */",
  "/*!80000 SET SESSION group_replication_consistency = " +
    "IF(@@group_replication_single_primary_mode, 'BEFORE_ON_PRIMARY_FAILOVER', 'BEFORE') */",
];
// Nothing is left of the statement.
const EMPTY_STATEMENT = 1065;

/** Some of a process's connections: made when first needed, given up when they have not been used for a while. */
export interface Connections {
  readonly pool: Pool;
  /** A connection, to be released or destroyed. @throws {ConnectionWaitError} when none is free in time. */
  acquire(): Promise<PoolConnection>;
  /** How work has waited for them since the process began. */
  waits(): ConnectionWaits;
}

/** How work has waited for connections. */
export interface ConnectionWaits {
  /** What waits at the moment. */
  readonly waiting: number;
  /** How often a connection was asked for and had, and how long that took in all. */
  readonly served: number;
  readonly servedAfterMs: number;
  /** How often none was free in time. */
  readonly refused: number;
}

const answersOfConnections = new WeakMap<PoolConnection, Answers>();

/** Whether the database that a connection leads to answers. */
export function answersOf(connection: PoolConnection): Answers {
  return answersOfConnections.get(connection) as Answers;
}

/** Opens connections to `url`, at most `size` at a time. @param answers of the same database, on other connections too */
export function openConnections(url: string, size: number, answers = new Answers()): Connections {
  const pool = mysql.createPool({
    uri: url,
    connectionLimit: size,
    // A pool that may keep as many as it may have never looks for unused ones.
    maxIdle: Math.max(1, size - 1),
    idleTimeout: IDLE_CONNECTION_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableKeepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
    charset: "utf8mb4_bin",
    maxPreparedStatements: STATEMENTS_PER_CONNECTION,
    supportBigNumbers: true,
    typeCast: bigintColumns,
  });
  pool.on("connection", (connection) => {
    answersOfConnections.set(connection, answers);
    answers.came();
    // Without its settings a connection must not be used.
    const refuse = (error: unknown) => void (error && connection.destroy());
    for (const setting of SESSION_SETTINGS) connection.query(setting, refuse);
    for (const setting of CLUSTER_SETTINGS) {
      connection.query(setting, (error) => {
        if (error?.errno !== EMPTY_STATEMENT && !isUnknownVariable(error)) refuse(error);
      });
    }
  });
  return { pool, ...countedWaits(pool, size, answers) };
}

/** Waiting for connections of a pool that has at most `size`. */
function countedWaits(pool: Pool, size: number, answers: Answers): Pick<Connections, "acquire" | "waits"> {
  const waits = { waiting: 0, served: 0, servedAfterMs: 0, refused: 0 };
  const acquire = () =>
    new Promise<PoolConnection>((resolve, reject) => {
      const refuse = () => {
        waits.refused += 1;
        reject(new ConnectionWaitError());
      };
      if (waits.waiting >= size * MAX_WAITING_PER_CONNECTION) return refuse();
      waits.waiting += 1;
      const sinceMs = performance.now();
      const stopWaiting = afterDelay(answers.areMissing ? WAIT_UNANSWERED_MS : WAIT_MS, () => {
        answers.missed();
        refuse();
      });
      pool.getConnection((error, connection) => {
        waits.waiting -= 1;
        if (!stopWaiting()) return connection?.release();
        if (error) return reject(error);
        waits.served += 1;
        waits.servedAfterMs += performance.now() - sinceMs;
        resolve(connection);
      });
    });
  return { acquire, waits: () => waits };
}

/**
 * Does something after a while, but not before what has arrived by then has been read: a process that was stopped for long
 * finds its timers due and the answers there.
 * @returns prevents it; false when it has been done.
 */
export function afterDelay(delayMs: number, act: () => void): () => boolean {
  let state: "waiting" | "done" | "prevented" = "waiting";
  const timer = setTimeout(() => {
    setImmediate(() => {
      if (state !== "waiting") return;
      state = "done";
      act();
    });
  }, delayMs);
  return () => {
    if (state === "waiting") state = "prevented";
    clearTimeout(timer);
    return state === "prevented";
  };
}

// What the driver cannot say exactly as a number it gives as text; BigInt takes both.
function bigintColumns(field: mysql.TypeCastField, next: () => unknown): unknown {
  const value = next();
  return field.type === "LONGLONG" && value !== null ? BigInt(value as number | string) : value;
}
