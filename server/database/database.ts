import createKnex, { type Knex } from "knex";
import type { Connection as CallbackConnection, Pool as CallbackPool } from "mysql2";
import mysql, {
  type ExecuteValues,
  type Pool,
  type PoolConnection,
  type ResultSetHeader,
  type TypeCastField,
} from "mysql2/promise";

/** A value bound to a `?` of a prepared statement; bigints go over the wire as BIGINT, never as text. */
export type Parameter = string | number | bigint | boolean | Buffer | null;

/**
 * Something that runs prepared statements: the pool (each on any connection) or one transaction.
 * `rows` is for SELECT, `change` for INSERT, UPDATE and DELETE and gives the number of affected rows
 * (matched rows, also where an UPDATE changes nothing).
 */
export interface Session {
  rows<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>;
  change(sql: string, parameters?: readonly Parameter[]): Promise<number>;
}

/** An open database: sessions on the pool, the pool itself for transactions, and knex on the same pool. */
export interface Database extends Session {
  readonly pool: Pool;
  readonly knex: Knex;
}

/** Where the database is and how many connections this process may hold. */
export interface DatabaseOptions {
  /** `mysql://user:password@host:port/name`, with mysql2's options as query parameters (`socketPath`, `ssl`, …). */
  readonly url: string;
  readonly poolSize?: number;
}

// Guarded updates are written for READ COMMITTED: at REPEATABLE READ both engines lose updates silently.
const SESSION_SETTINGS = [
  "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
  "SET SESSION innodb_lock_wait_timeout = 4, time_zone = '+00:00', " +
    "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY'",
];
const CONNECT_TIMEOUT_MS = 5_000;

// What goes wrong is thrown, and logged once, by the caller.
const SILENT: Knex.Logger = { warn() {}, error() {}, deprecate() {}, debug() {} };

/** Opens a pool; connections are made when first needed. */
export function openDatabase({ url, poolSize = 32 }: DatabaseOptions): Database {
  const pool = mysql.createPool({
    uri: url,
    connectionLimit: poolSize,
    maxIdle: poolSize,
    connectTimeout: CONNECT_TIMEOUT_MS,
    charset: "utf8mb4_bin",
    maxPreparedStatements: 256,
    supportBigNumbers: true,
    typeCast: bigintColumns,
  });
  pool.pool.on("connection", (connection) => {
    // Without its settings a connection must not be used.
    const refuse = (error: unknown) => void (error && connection.destroy());
    for (const setting of SESSION_SETTINGS) connection.query(setting, refuse);
  });
  const knex = createKnex({ client: "mysql2", connectionPool: pool.pool as never, log: SILENT });
  return { pool, knex, ...sessionOn(pool) };
}

/** Resolves when the database answers. @throws when it cannot be reached. */
export async function ping(session: Session): Promise<void> {
  await session.rows("SELECT 1");
}

/** Closes every connection, after the statements under way. */
export async function closeDatabase(database: Database): Promise<void> {
  await database.knex.destroy();
  await database.pool.end();
}

/** Prepared statements on a pool or on one connection. */
export function sessionOn(target: Pool | PoolConnection): Session {
  const execute = executor(("pool" in target ? target.pool : target.connection) as Executing);
  return {
    async rows<Row>(sql: string, parameters: readonly Parameter[] = []) {
      return (await execute(sql, bound(parameters))) as Row[];
    },
    async change(sql, parameters = []) {
      return ((await execute(sql, bound(parameters))) as ResultSetHeader).affectedRows;
    },
  };
}

/** Begins or ends a transaction on one connection. */
export function command(
  { connection }: PoolConnection,
  sql: "START TRANSACTION" | "COMMIT" | "ROLLBACK",
): Promise<void> {
  const target = connection as unknown as Pick<CallbackConnection, "query">;
  return new Promise((resolve, reject) => {
    target.query(sql, (error) => (error ? reject(error) : resolve()));
  });
}

type Executing = Pick<CallbackPool, "execute">;

// mysql2's own promises record a stack for every statement, which takes a twentieth of the time of a busy service.
function executor(target: Executing) {
  return (sql: string, values: ExecuteValues[]) =>
    new Promise<unknown>((resolve, reject) => {
      target.execute(sql, values, (error, result) => (error ? reject(error) : resolve(result)));
    });
}

/** `?, ?, ?`: as many placeholders as there are values. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}

// Each time that it is asked for, it is looked up among the modules.
const { BIGINT } = mysql.TypedParameter;

// Without a declared type mysql2 sends a bigint as text, and MariaDB then computes with it as a DOUBLE.
function bound(parameters: readonly Parameter[]): ExecuteValues[] {
  return parameters.map((value) =>
    typeof value === "bigint" || Number.isInteger(value) ? BIGINT(value as bigint) : value,
  ) as ExecuteValues[];
}

// What the driver cannot say exactly as a number it gives as text; BigInt takes both.
function bigintColumns(field: TypeCastField, next: () => unknown): unknown {
  const value = next();
  return field.type === "LONGLONG" && value !== null ? BigInt(value as number | string) : value;
}
