import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createGunzip } from "node:zlib";
import { recordAction } from "../actions/record-action.ts";
import type { Database } from "../database/database.ts";
import { MIGRATION_NAMES, migrateThrough, migrateToLatest } from "../database/migrate.ts";
import { transaction } from "../database/transaction.ts";
import { ConflictError, InvalidInputError } from "../errors.ts";
import { countRows, dropAllTables, emptyTable, filledTables, insertRows } from "./backup-store.ts";
import {
  type Column,
  DATA_FILE,
  MANIFEST_FILE,
  type Manifest,
  manifestSchema,
  type TableHeader,
  tableSchema,
} from "./manifest.ts";
import type { OnRows } from "./take-backup.ts";

const BATCH_ROWS = 1_000;
/** Well below the packet that any server takes. */
const BATCH_CHARACTERS = 512 * 1_024;

/** What is restored, and where to. */
export interface RestoreRequest {
  readonly folder: string;
  /** Takes away what the database holds. Without it a database that holds something is left as it is. */
  readonly replace: boolean;
  readonly onRows: OnRows;
}

/** A backup that was restored. */
export interface Restored {
  readonly manifest: Manifest;
  /** The migrations that the backup did not have yet. */
  readonly migrated: readonly string[];
}

/**
 * Puts a backup into a database that nobody uses, and brings it up to the newest schema. Nothing is changed before the backup
 * is known to be whole. What is broken off leaves a shop that lets nobody in; it is begun again with `replace`.
 * @throws {InvalidInputError} there is no whole backup, or a newer release made it. @throws {ConflictError} the database holds
 *   something.
 */
export async function restoreBackup(
  database: Database,
  { folder, replace, onRows }: RestoreRequest,
): Promise<Restored> {
  const manifest = await readManifest(folder);
  await checkData(folder, manifest);
  refuseUnknownMigrations(manifest);
  await refuseFilled(database, replace);
  await dropAllTables(database);
  await migrateThrough(database, manifest.migrations);
  await insertData(database, linesOf(join(folder, DATA_FILE)), onRows);
  await checkCounts(database, manifest);
  await migrateToLatest(database);
  const action = { operation: "restoreBackup", targetId: manifest.takenAt } as const;
  await transaction(database, (tx) => recordAction(tx, action));
  const migrated = MIGRATION_NAMES.slice(manifest.migrations.length);
  return { manifest, migrated };
}

async function readManifest(folder: string): Promise<Manifest> {
  const path = join(resolve(folder), MANIFEST_FILE);
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null)
    throw new InvalidInputError(
      `There is no whole backup in ${resolve(folder)}: it has no ${MANIFEST_FILE}.`,
    );
  const parsed = manifestSchema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new InvalidInputError(`${path} is not the manifest of a backup that this release can read.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function checkData(folder: string, { data }: Manifest): Promise<void> {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(join(folder, DATA_FILE)) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    throw new InvalidInputError(`${DATA_FILE} cannot be read: ${(error as Error).message}`);
  }
  if (bytes !== data.bytes || hash.digest("hex") !== data.sha256)
    throw new InvalidInputError(`${DATA_FILE} was changed or cut short: its checksum is not the manifest's.`);
}

function refuseUnknownMigrations({ migrations }: Manifest): void {
  const known = MIGRATION_NAMES.slice(0, migrations.length);
  if (known.length === migrations.length && known.every((name, index) => name === migrations[index])) return;
  throw new InvalidInputError(
    "A newer release made this backup, or another program did. Restore it with the release that made it, or a later one.",
  );
}

async function refuseFilled(database: Database, replace: boolean): Promise<void> {
  if (replace) return;
  const filled = [...(await filledTables(database))].map(([table, rows]) => `${rows} rows in ${table}`);
  if (filled.length === 0) return;
  throw new ConflictError(`The database is not empty: it has ${filled.join(", ")}.`);
}

async function insertData(database: Database, lines: AsyncIterable<string>, onRows: OnRows): Promise<void> {
  let header: TableHeader | null = null;
  let batch: unknown[][] = [];
  let [characters, total] = [0, 0];
  const flush = async () => {
    if (header === null || batch.length === 0) return;
    await insertRows(database, header, batch);
    total += batch.length;
    onRows(total, header.table);
    [batch, characters] = [[], 0];
  };
  for await (const line of lines) {
    const value: unknown = JSON.parse(line);
    if (Array.isArray(value)) {
      batch.push(value.map((one, index) => read(one, header?.columns[index])));
      characters += line.length;
      if (batch.length === BATCH_ROWS || characters >= BATCH_CHARACTERS) await flush();
    } else {
      await flush();
      header = tableSchema.parse(value);
      await emptyTable(database, header.table);
    }
  }
  await flush();
}

function read(value: unknown, column: Column | undefined): unknown {
  return column?.kind === "bytes" && typeof value === "string" ? Buffer.from(value, "base64") : value;
}

async function checkCounts(database: Database, { rows }: Manifest): Promise<void> {
  for (const [table, expected] of Object.entries(rows)) {
    const count = await countRows(database, table);
    if (count !== expected) throw new Error(`${table} has ${count} rows instead of ${expected}.`);
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const text = createReadStream(path).pipe(createGunzip()).setEncoding("utf8");
  let rest = "";
  for await (const chunk of text as AsyncIterable<string>) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
