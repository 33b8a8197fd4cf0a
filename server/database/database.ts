import createKnex, { type Knex } from "knex";
import type { PoolConnection as CallbackPoolConnection } from "mysql2";
import mysql, { type ExecuteValues, type Pool, type ResultSetHeader } from "mysql2/promise";
import { Answers } from "./answers.ts";
import {
  afterDelay,
  answersOf,
  type Connections,
  type ConnectionWaits,
  openConnections,
} from "./connections.ts";
import { executeInTransaction } from "./execute-in-transaction.ts";
import {
  isConnectionLost,
  isSlowToAnswer,
  named,
  namedChange,
  namedRead,
  StatementTimeoutError,
} from "./faults.ts";

/** As long as a statement may take, waiting for locks included; then its connection is given up. */
const STATEMENT_LIMIT_MS = 8_000;
/** A quarter of the connections serves reads that stand alone, so that writes that wait for locks cannot take them all. */
const READING_SHARE = 4;

/** A value bound to a `?` of a prepared statement; bigints go over the wire as BIGINT, never as text. */
export type Parameter = string | number | bigint | boolean | Buffer | null;

/**
 * Something that runs prepared statements: the pool (each on any connection) or one transaction.
 * `rows` is for SELECT, `change` for INSERT, UPDATE and DELETE and gives the number of affected rows
 * (matched rows, also where an UPDATE changes nothing). Outside of a transaction a change may throw
 * {@link CommitOutcomeUnknownError}: it may have taken effect.
 */
export interface Session {
  rows<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>;
  change(sql: string, parameters?: readonly Parameter[]): Promise<number>;
}

/** An open database: sessions on its connections, connections for transactions, and knex beside them. */
export interface Database extends Session {
  /** Those that transactions and single changes use. */
  readonly pool: Pool;
  readonly writing: Connections;
  /** Those that reads outside of transactions use. */
  readonly reading: Connections;
  readonly knex: Knex;
}

/** Where the database is and how many connections this process may hold. */
export interface DatabaseOptions {
  /** `mysql://user:password@host:port/name`, with mysql2's options as query parameters (`socketPath`, `ssl`, …). */
  readonly url: string;
  readonly poolSize?: number;
}

// What goes wrong is thrown, and logged once, by the caller.
const SILENT: Knex.Logger = { warn() {}, error() {}, deprecate() {}, debug() {} };

/** Opens a database; connections are made when first needed. */
export function openDatabase({ url, poolSize = 32 }: DatabaseOptions): Database {
  const forReading = Math.floor(poolSize / READING_SHARE);
  const answers = new Answers();
  const writing = openConnections(url, poolSize - forReading, answers);
  const reading = forReading === 0 ? writing : openConnections(url, forReading, answers);
  const knex = createKnex({ client: "mysql2", connectionPool: writing.pool as never, log: SILENT });
  const { rows } = sessionOn(reading);
  const { change } = sessionOn(writing);
  return { pool: writing.pool.promise(), writing, reading, knex, rows: repeatedOnce(rows), change };
}

/** A read that loses its connection is asked once more, on another; one that waited in vain is not. */
function repeatedOnce(rows: Session["rows"]): Session["rows"] {
  return async (sql, parameters) => {
    try {
      return await rows(sql, parameters);
    } catch (error) {
      if (!isConnectionLost(error) || isSlowToAnswer(error)) throw error;
      return rows(sql, parameters);
    }
  };
}

/** Prepared statements on the connections that are kept for reads. */
export function readingSession({ reading }: Database): Session {
  return sessionOn(reading);
}

/** How work has waited for connections, by what they serve. */
export function connectionWaits({ writing, reading }: Database): Readonly<Record<string, ConnectionWaits>> {
  return reading === writing
    ? { writes: writing.waits() }
    : { reads: reading.waits(), writes: writing.waits() };
}

/** Resolves when the database answers. @throws when it cannot be reached. */
export async function ping(session: Session): Promise<void> {
  await session.rows("SELECT 1");
}

/** Closes every connection, after the statements under way. */
export async function closeDatabase({ knex, writing, reading }: Database): Promise<void> {
  await knex.destroy();
  await Promise.all([...new Set([writing, reading])].map(({ pool }) => pool.promise().end()));
}

/** Prepared statements on some connections, each on any of them. @throws {DatabaseUnavailableError} */
function sessionOn(connections: Connections): Session {
  const executeAs =
    (name: (error: unknown) => unknown) =>
    async (sql: string, parameters: readonly Parameter[] = []): Promise<unknown> => {
      const connection = await connections.acquire().catch((error: unknown) => {
        throw named(error);
      });
      try {
        return await executeOn(connection, sql, parameters);
      } catch (error) {
        throw name(error);
      } finally {
        connection.release();
      }
    };
  return { rows: sessionOf(executeAs(namedRead)).rows, change: sessionOf(executeAs(namedChange)).change };
}

/** Prepared statements on one connection, each of which may take `limitMs`. */
export function sessionOnConnection(
  connection: CallbackPoolConnection,
  { limitMs = STATEMENT_LIMIT_MS } = {},
): Session {
  return sessionOf((sql, parameters) => executeOn(connection, sql, parameters, limitMs));
}

/** Prepared statements of the transaction that is open on one connection. */
export function sessionInTransaction(connection: CallbackPoolConnection): Session {
  return sessionOf((sql, parameters = []) =>
    inTime(connection, STATEMENT_LIMIT_MS, (answer) =>
      executeInTransaction(connection, sql, bound(parameters), answer),
    ),
  );
}

function sessionOf(execute: (sql: string, parameters?: readonly Parameter[]) => Promise<unknown>): Session {
  return {
    async rows<Row>(sql: string, parameters?: readonly Parameter[]) {
      return (await execute(sql, parameters)) as Row[];
    },
    async change(sql, parameters) {
      return ((await execute(sql, parameters)) as ResultSetHeader).affectedRows;
    },
  };
}

/** Begins or ends a transaction on one connection. */
export function command(
  connection: CallbackPoolConnection,
  sql: "START TRANSACTION" | "COMMIT" | "ROLLBACK",
): Promise<void> {
  return inTime(connection, STATEMENT_LIMIT_MS, (answer) => void connection.query(sql, answer));
}

// mysql2's own promises record a stack for every statement, which takes a twentieth of the time of a busy service.
function executeOn(
  connection: CallbackPoolConnection,
  sql: string,
  parameters: readonly Parameter[] = [],
  limitMs = STATEMENT_LIMIT_MS,
): Promise<unknown> {
  return inTime(connection, limitMs, (answer) => void connection.execute(sql, bound(parameters), answer));
}

/** Asks the database; without an answer in time the connection is given up. */
function inTime<Result>(
  connection: CallbackPoolConnection,
  limitMs: number,
  ask: (answer: (error: Error | null, result?: unknown) => void) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const answers = answersOf(connection);
    const stopWaiting = afterDelay(limitMs, () => {
      answers.missed();
      connection.destroy();
      reject(new StatementTimeoutError());
    });
    ask((error, result) => {
      if (!stopWaiting()) return;
      if (!error || !isConnectionLost(error)) answers.came();
      if (error) reject(error);
      else resolve(result as Result);
    });
  });
}

/** `?, ?, ?`: as many placeholders as there are values. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}

// Each time that it is asked for, it is looked up among the modules.
const { BIGINT } = mysql.TypedParameter;
/** What it makes, without computing its bounds for each value; the driver does that once more when it sends one. */
const { constructor: TypedParameter, type: bigintType } = BIGINT(0n) as unknown as {
  readonly constructor: new (type: unknown, value: number | bigint, isUnsigned: boolean) => object;
  readonly type: unknown;
};
const MIN_BIGINT = -(2n ** 63n);
const MAX_BIGINT = 2n ** 63n - 1n;

// Without a declared type mysql2 sends a bigint as text, and MariaDB then computes with it as a DOUBLE.
function bound(parameters: readonly Parameter[]): ExecuteValues[] {
  return parameters.map((value) => {
    if (typeof value === "bigint" || Number.isInteger(value))
      return integerParameter(value as bigint | number);
    return value;
  }) as ExecuteValues[];
}

/** @throws {RangeError} it is no BIGINT, or not exact. */
function integerParameter(value: bigint | number): object {
  const isFine =
    typeof value === "number" ? Number.isSafeInteger(value) : value >= MIN_BIGINT && value <= MAX_BIGINT;
  return isFine ? new TypedParameter(bigintType, value, false) : BIGINT(value as bigint);
}
