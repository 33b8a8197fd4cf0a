import type { PoolConnection } from "mysql2";
import type { Database } from "../database/database.ts";
import type { Column, TableHeader } from "./manifest.ts";

/** What belongs to processes that run, or says how far the migrations are: never part of a backup. */
const OWN_TABLES = ["knex_migrations", "knex_migrations_lock", "service_leases", "service_processes"];
/** Made by the first process that looks at an empty database. */
const MADE_AT_START = "service_secrets";
/** Nobody is let in before they are there, so nobody meets a shop that is half restored. */
const RESTORED_LAST = "api_keys";
const BYTES = new Set(["binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"]);
/** Between two statements, and for a disk that is slow to take what was read. */
const IDLE_SECONDS = 600;

interface ColumnRow {
  table_name: string;
  column_name: string;
  data_type: string;
}

/** One unchanging view of the database. */
export interface Snapshot {
  readonly server: string;
  /** The migrations in force, in their order. */
  migrations(): Promise<string[]>;
  tables(): Promise<TableHeader[]>;
  /** All rows of a table, a column's value at a time and place. */
  rows(header: TableHeader): AsyncIterable<readonly unknown[]>;
}

/** Reads one consistent snapshot of the database, beside others that change it. */
export async function withSnapshot<T>(
  { writing }: Database,
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const connection = await writing.acquire();
  const query = (sql: string) => connection.promise().query(sql);
  try {
    await query(
      `SET SESSION /*M! idle_transaction_timeout = ${IDLE_SECONDS}, */ wait_timeout = ${IDLE_SECONDS},
         net_write_timeout = ${IDLE_SECONDS}`,
    );
    await query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    await query("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
    const [[version]] = (await query("SELECT VERSION() AS version")) as unknown as [[{ version: string }]];
    return await read({
      server: version.version,
      migrations: () => migrationsOn(connection),
      tables: () => tablesOn(connection),
      rows: (header) => rowsOn(connection, header),
    });
  } finally {
    // It is set otherwise than the other connections.
    connection.destroy();
  }
}

async function migrationsOn(connection: PoolConnection): Promise<string[]> {
  const [rows] = await connection.promise().query("SELECT name FROM knex_migrations ORDER BY id");
  return (rows as { name: string }[]).map(({ name }) => name);
}

async function tablesOn(connection: PoolConnection): Promise<TableHeader[]> {
  const [rows] = await connection.promise().query(
    `SELECT c.TABLE_NAME AS table_name, c.COLUMN_NAME AS column_name, c.DATA_TYPE AS data_type
     FROM information_schema.COLUMNS c JOIN information_schema.TABLES t
       ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
     WHERE c.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE'
     ORDER BY c.TABLE_NAME = ?, c.TABLE_NAME, c.ORDINAL_POSITION`,
    [RESTORED_LAST],
  );
  const byTable = Map.groupBy(rows as ColumnRow[], ({ table_name: table }) => table);
  return [...byTable]
    .filter(([table]) => !OWN_TABLES.includes(table))
    .map(([table, columns]) => ({ table, columns: columns.map(toColumn) }));
}

function toColumn({ column_name: name, data_type: type }: ColumnRow): Column {
  if (BYTES.has(type.toLowerCase())) return { name, kind: "bytes" };
  return { name, kind: type.toLowerCase() === "bigint" ? "integer64" : "plain" };
}

async function* rowsOn(
  connection: PoolConnection,
  { table, columns }: TableHeader,
): AsyncGenerator<readonly unknown[]> {
  // What was read of a table is let go of, so that a migration need not wait for the end.
  await connection.promise().query("SAVEPOINT before_table");
  const names = columns.map(({ name }) => name);
  const stream = connection
    .query({ sql: "SELECT ?? FROM ??", values: [names, table], rowsAsArray: true })
    .stream({ highWaterMark: 1_000 });
  for await (const row of stream) yield row as readonly unknown[];
  await connection.promise().query("ROLLBACK TO SAVEPOINT before_table");
}

/** The tables of a database that hold something which a restore would take away, with how many rows. */
export async function filledTables(database: Database): Promise<Map<string, number>> {
  const filled = new Map<string, number>();
  for (const table of await allTables(database)) {
    if (OWN_TABLES.includes(table) || table === MADE_AT_START) continue;
    const count = await countRows(database, table);
    if (count > 0) filled.set(table, count);
  }
  return filled;
}

async function allTables({ pool }: Database): Promise<string[]> {
  const [rows] = await pool.query(
    `SELECT TABLE_NAME AS table_name FROM information_schema.TABLES
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE'`,
  );
  return (rows as { table_name: string }[]).map(({ table_name: name }) => name);
}

/** How many rows a table has. */
export async function countRows({ pool }: Database, table: string): Promise<number> {
  const [[row]] = (await pool.query("SELECT COUNT(*) AS count FROM ??", [table])) as unknown as [
    [{ count: bigint }],
  ];
  return Number(row.count);
}

/** Drops every table of a database. */
export async function dropAllTables(database: Database): Promise<void> {
  for (const table of await allTables(database)) await database.pool.query("DROP TABLE ??", [table]);
}

/** Empties a table that its migration has put something into. */
export async function emptyTable({ pool }: Database, table: string): Promise<void> {
  await pool.query("DELETE FROM ??", [table]);
}

/** Writes rows as a backup has them, in one statement. */
export async function insertRows(
  { pool }: Database,
  { table, columns }: TableHeader,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  if (rows.length === 0) return;
  await pool.query("INSERT INTO ?? (??) VALUES ?", [table, columns.map(({ name }) => name), rows]);
}
