import { setTimeout as delay } from "node:timers/promises";
import type { Knex } from "knex";
import type { Database } from "./database.ts";
import { isLockTimeout } from "./faults.ts";
import { withLease } from "./lease.ts";
import { createLease, forgetHolder, WRITE_PROBE } from "./lease-store.ts";
import * as orderingTables from "./migrations/0001-ordering-tables.ts";
import * as suppliers from "./migrations/0002-suppliers.ts";
import * as aiProxy from "./migrations/0003-ai-proxy.ts";
import * as holdsOfCalls from "./migrations/0004-holds-of-calls.ts";
import * as pricesOfEveryDimension from "./migrations/0005-prices-of-every-dimension.ts";
import * as limitsOfCalls from "./migrations/0006-limits-of-calls.ts";
import * as whatModelsAre from "./migrations/0007-what-models-are.ts";
import * as losses from "./migrations/0008-losses.ts";
import * as serviceProcesses from "./migrations/0009-service-processes.ts";

/** One step of the schema, with the way back. */
export interface Migration {
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

const MIGRATIONS: Record<string, Migration> = {
  "0001-ordering-tables": orderingTables,
  "0002-suppliers": suppliers,
  "0003-ai-proxy": aiProxy,
  "0004-holds-of-calls": holdsOfCalls,
  "0005-prices-of-every-dimension": pricesOfEveryDimension,
  "0006-limits-of-calls": limitsOfCalls,
  "0007-what-models-are": whatModelsAre,
  "0008-losses": losses,
  "0009-service-processes": serviceProcesses,
};

/**
 * Brings the schema to the newest version. Of several processes that start at once one does it and the others wait; when it
 * dies at it, another goes on, for every migration may be run again where it was broken off.
 */
export async function migrateToLatest(database: Database): Promise<void> {
  await alone(database, () => database.knex.migrate.latest(migratorConfig()));
  await createLease(database, WRITE_PROBE);
}

/** All migrations that this release knows, in their order. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

/** Brings an empty database to the schema of the first so many migrations. */
export async function migrateThrough(database: Database, names: readonly string[]): Promise<void> {
  await alone(database, async () => {
    const { done } = await migrationStatus(database);
    for (const name of names.filter((one) => !done.includes(one)))
      await database.knex.migrate.up({ ...migratorConfig(), name });
  });
}

/** Takes every migration back, newest first; the tables and all that is in them are gone after it. */
export async function rollBackAll(database: Database): Promise<void> {
  await alone(database, () => database.knex.migrate.rollback(migratorConfig(), true));
}

/** Takes the newest migration back that is in force, with what only it can hold. */
export async function rollBackNewest(database: Database): Promise<void> {
  await alone(database, () => database.knex.migrate.down(migratorConfig()));
}

/** Takes the locks away that a process left which was killed while it migrated. Only when no other is at it. */
export async function freeMigrations(database: Database): Promise<void> {
  await createLease(database, MIGRATIONS_LEASE);
  await forgetHolder(database, MIGRATIONS_LEASE);
  await database.knex.migrate.forceFreeMigrationsLock(migratorConfig());
}

const MIGRATIONS_LEASE = "migrations";
// A migration waits for a table's definition for as long as requests may wait behind it, seconds, and then lets them pass.
const LOCKED_TABLE_ATTEMPTS = 20;
const LOCKED_TABLE_PAUSE_MS = 500;

async function alone(database: Database, change: () => Promise<unknown>): Promise<void> {
  await withLease(database, MIGRATIONS_LEASE, async (takenOver) => {
    // The tables' own lock is only one between processes that know no lease.
    if (takenOver) await database.knex.migrate.forceFreeMigrationsLock(migratorConfig());
    for (let attempt = 1; ; attempt += 1) {
      try {
        await change();
        return;
      } catch (error) {
        if (!isLockTimeout(error) || attempt === LOCKED_TABLE_ATTEMPTS) throw error;
        await delay(LOCKED_TABLE_PAUSE_MS);
        await database.knex.migrate.forceFreeMigrationsLock(migratorConfig());
      }
    }
  });
}

/** The names of the migrations that are in force and of those that wait. */
export async function migrationStatus(database: Database): Promise<{ done: string[]; waiting: string[] }> {
  const [done, waiting] = await database.knex.migrate.list(migratorConfig());
  return { done: done.map(({ name }: { name: string }) => name), waiting: waiting as string[] };
}

function migratorConfig(): Knex.MigratorConfig {
  return {
    migrationSource: {
      getMigrations: async () => Object.keys(MIGRATIONS),
      getMigrationName: (name: string) => name,
      getMigration: async (name: string) => {
        const migration = MIGRATIONS[name];
        if (migration === undefined) throw new Error(`There is no migration ${name}.`);
        return migration;
      },
    },
  };
}
