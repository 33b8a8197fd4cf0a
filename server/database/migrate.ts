import { setTimeout as delay } from "node:timers/promises";
import type { Knex } from "knex";
import type { Database } from "./database.ts";
import { isLockTimeout } from "./faults.ts";
import { withLease } from "./lease.ts";
import { createLease, forgetHolder, ROLLUPS_LEASE, WRITE_PROBE } from "./lease-store.ts";
import * as orderingTables from "./migrations/0001-ordering-tables.ts";
import * as suppliers from "./migrations/0002-suppliers.ts";
import * as aiProxy from "./migrations/0003-ai-proxy.ts";
import * as holdsOfCalls from "./migrations/0004-holds-of-calls.ts";
import * as pricesOfEveryDimension from "./migrations/0005-prices-of-every-dimension.ts";
import * as limitsOfCalls from "./migrations/0006-limits-of-calls.ts";
import * as whatModelsAre from "./migrations/0007-what-models-are.ts";
import * as losses from "./migrations/0008-losses.ts";
import * as serviceProcesses from "./migrations/0009-service-processes.ts";
import * as importsOfProducts from "./migrations/0010-imports-of-products.ts";
import * as rollups from "./migrations/0011-rollups.ts";
import * as livesOfKeys from "./migrations/0012-lives-of-keys.ts";
import * as people from "./migrations/0013-people.ts";
import * as activity from "./migrations/0014-activity.ts";
import * as ordersByTime from "./migrations/0015-orders-by-time.ts";
import * as passkeys from "./migrations/0016-passkeys.ts";
import * as operators from "./migrations/0017-operators.ts";
import * as operatorActions from "./migrations/0018-operator-actions.ts";
import { migrationsInForce } from "./schema-store.ts";

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
  "0010-imports-of-products": importsOfProducts,
  "0011-rollups": rollups,
  "0012-lives-of-keys": livesOfKeys,
  "0013-people": people,
  "0014-activity": activity,
  "0015-orders-by-time": ordersByTime,
  "0016-passkeys": passkeys,
  "0017-operators": operators,
  "0018-operator-actions": operatorActions,
};

/**
 * Brings the schema to the newest version. Of several processes that start at once one does it and the others wait; when it
 * dies at it, another goes on, for every migration may be run again where it was broken off.
 */
export async function migrateToLatest(database: Database): Promise<void> {
  await alone(database, () => database.knex.migrate.latest(migratorConfig()));
  for (const name of [WRITE_PROBE, ROLLUPS_LEASE]) await createLease(database, name);
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

/** Takes the locks away that a process left which is known to be dead, so that its end need not be waited for. */
export async function freeMigrations(database: Database): Promise<void> {
  await createLease(database, MIGRATIONS_LEASE);
  await forgetHolder(database, MIGRATIONS_LEASE);
  await database.knex.migrate.forceFreeMigrationsLock(migratorConfig());
}

/** The database's schema is of an earlier release. */
export class SchemaBehindError extends Error {
  constructor(waiting: readonly string[]) {
    super(
      `The database's schema is of an earlier release: ${waiting.join(", ")} still to come.\n` +
        'Bring it up to date with "npm run migrate -- up", then start again; "npm start" does both.',
    );
    this.name = "SchemaBehindError";
  }
}

/**
 * Makes sure that the schema is this release's, or a later one's, on which this release runs as well.
 * @throws {SchemaBehindError} it is an earlier one's. @throws {DatabaseUnavailableError}
 */
export async function requireSchema(database: Database): Promise<void> {
  const done = new Set(await migrationsInForce(database));
  const waiting = Object.keys(MIGRATIONS).filter((name) => !done.has(name));
  if (waiting.length > 0) throw new SchemaBehindError(waiting);
}

const MIGRATIONS_LEASE = "migrations";
// A migration waits for a table's definition for as long as requests may wait behind it, seconds, and then lets them pass.
const LOCKED_TABLE_ATTEMPTS = 20;
const RETRY_PAUSE_MS = 500;
/** A release from before the leases has so long for a migration; then it is taken for dead. */
const UNLEASED_HOLDER_MS = 60_000;

async function alone(database: Database, change: () => Promise<unknown>): Promise<void> {
  await withLease(database, MIGRATIONS_LEASE, async (takenOver) => {
    const free = () => database.knex.migrate.forceFreeMigrationsLock(migratorConfig());
    if (takenOver) await free();
    const unleasedUntilMs = performance.now() + UNLEASED_HOLDER_MS;
    let lockedTables = 0;
    for (;;) {
      try {
        await change();
        return;
      } catch (error) {
        const isTableLocked = isLockTimeout(error);
        if (isTableLocked) lockedTables += 1;
        if (lockedTables === LOCKED_TABLE_ATTEMPTS || !(isTableLocked || isMigrationLocked(error)))
          throw error;
        // The migrator's own lock is only one between processes that know no lease.
        if (isTableLocked || performance.now() > unleasedUntilMs) await free();
        await delay(RETRY_PAUSE_MS);
      }
    }
  });
}

function isMigrationLocked(error: unknown): boolean {
  return error instanceof Error && /migration table is already locked/i.test(error.message);
}

/** The names of the migrations that are in force and of those that wait. */
export async function migrationStatus(database: Database): Promise<{ done: string[]; waiting: string[] }> {
  const [done, waiting] = await database.knex.migrate.list(migratorConfig());
  return { done: done.map(({ name }: { name: string }) => name), waiting: waiting as string[] };
}

function migratorConfig(): Knex.MigratorConfig {
  return {
    // What a later release has added does not keep this one from starting again while an upgrade goes on.
    disableMigrationsListValidation: true,
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
