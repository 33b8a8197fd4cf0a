import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { ConflictError } from "../errors.ts";
import { type Snapshot, withSnapshot } from "./backup-store.ts";
import { type Column, DATA_FILE, MANIFEST_FILE, type Manifest } from "./manifest.ts";

const CHUNK_CHARACTERS = 64 * 1_024;

/** What a backup needs. */
export interface BackupDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/** How far a backup or a restore is. */
export type OnRows = (rows: number, table: string) => void;

/**
 * Writes one consistent snapshot of the database into a new folder, while others change it. The folder gets its name when
 * everything is in it and on the disk. The encryption keys are not part of it.
 * @throws {ConflictError} the folder exists.
 */
export async function takeBackup(
  { database, clock }: BackupDependencies,
  folder: string,
  onRows: OnRows,
): Promise<Manifest> {
  const target = resolve(folder);
  if (await exists(target)) throw new ConflictError(`The folder ${target} exists. Name a new one.`);
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  // Before the snapshot is taken: nothing that was committed by then is missing from it.
  const takenAt = new Date(clock()).toISOString();
  try {
    const manifest = await withSnapshot(database, async (snapshot): Promise<Manifest> => {
      const rows: Record<string, number> = {};
      const migrations = await snapshot.migrations();
      const data = await writeData(join(unfinished, DATA_FILE), linesOf(snapshot, rows, onRows));
      return {
        format: "prepaid-code-shop-backup",
        formatVersion: 1,
        takenAt,
        server: snapshot.server,
        migrations,
        rows,
        data,
      };
    });
    const manifestFile = join(unfinished, MANIFEST_FILE);
    await writeFile(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    for (const path of [join(unfinished, DATA_FILE), manifestFile, unfinished]) await toDisk(path);
    await rename(unfinished, target);
    await toDisk(dirname(target));
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function writeData(path: string, lines: AsyncIterable<string>): Promise<Manifest["data"]> {
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
  await pipeline(Readable.from(inChunks(lines)), createGzip(), counted, file);
  return { bytes, sha256: hash.digest("hex") };
}

/** @param counts is filled with the number of rows of each table. */
async function* linesOf(
  snapshot: Snapshot,
  counts: Record<string, number>,
  onRows: OnRows,
): AsyncGenerator<string> {
  let total = 0;
  for (const header of await snapshot.tables()) {
    const { table, columns } = header;
    yield JSON.stringify(header);
    let count = 0;
    for await (const row of snapshot.rows(header)) {
      yield JSON.stringify(row.map((value, index) => written(value, columns[index])));
      count += 1;
      total += 1;
      if (total % 1_000 === 0) onRows(total, table);
    }
    counts[table] = count;
  }
}

function written(value: unknown, column: Column | undefined): unknown {
  if (value === null) return null;
  if (column?.kind === "bytes") return (value as Buffer).toString("base64");
  return column?.kind === "integer64" ? String(value) : value;
}

async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = "";
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}

async function toDisk(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
