import { join, resolve } from "node:path";
import { closeDatabase, type Database, openDatabase, ping } from "../database/database.ts";
import { isSlowToAnswer } from "../database/faults.ts";
import { freeMigrations, migrateToLatest } from "../database/migrate.ts";
import { type Environment, readSetting } from "../settings/setting.ts";
import { startSettings } from "../settings/settings.ts";
import { withFileLock } from "../setup/file-lock.mjs";
import { ensureCodeEncryptionKeys } from "./code-encryption-keys.ts";
import { openEmbeddedDatabase } from "./embedded-database.ts";

/** How often a database is asked that does not answer in time: for half a minute. */
const MAX_ATTEMPTS = 6;

/** An environment that names a database which can be used until it is closed. */
export interface DatabaseEnvironment {
  readonly env: Environment;
  readonly databaseUrl: string;
  /** Where the embedded database is; undefined where DATABASE_URL names a server. */
  readonly dataDir: string | undefined;
  close(): Promise<void>;
}

/**
 * Takes the database of DATABASE_URL or, where that is not set, opens the embedded one of DATA_DIR.
 * @param onProgress is told of what takes long
 */
export async function openDatabaseEnvironment(
  env: Environment,
  onProgress: (line: string) => void,
): Promise<DatabaseEnvironment> {
  if (env.DATABASE_URL) {
    return { env, databaseUrl: env.DATABASE_URL, dataDir: undefined, close: async () => {} };
  }
  const dataDir = readSetting(startSettings.dataDir, env);
  const keys = env.CODE_ENCRYPTION_KEYS || ensureCodeEncryptionKeys(dataDir);
  const { url, close } = await openEmbeddedDatabase(dataDir, onProgress);
  return {
    env: { ...env, DATABASE_URL: url, CODE_ENCRYPTION_KEYS: keys },
    databaseUrl: url,
    dataDir,
    close,
  };
}

/** Brings the database's schema to the newest version. */
export async function migrateEnvironment({ databaseUrl, dataDir }: DatabaseEnvironment): Promise<void> {
  const database = openDatabase({ url: databaseUrl, poolSize: 2 });
  try {
    // knex prints a stack of its own where it cannot connect; this says the same in one line.
    await untilItAnswers(database);
    if (dataDir === undefined) return await migrateToLatest(database);
    // Of an embedded database no process migrates while this one holds the file's lock: a lock that is still in its tables
    // was left by a process that was killed, and its end need not be waited for.
    await withFileLock(join(resolve(dataDir), "database", "migration.lock"), async () => {
      await freeMigrations(database);
      await migrateToLatest(database);
    });
  } finally {
    await closeDatabase(database);
  }
}

/** Asks again where no answer comes in time: a machine that is just starting a database is slow. @throws what it says. */
async function untilItAnswers(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ping(database);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isSlowToAnswer(error)) throw error;
    }
  }
}
