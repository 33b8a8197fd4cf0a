import type { Knex } from "knex";
import type { Database } from "./database.ts";
import * as orderingTables from "./migrations/0001-ordering-tables.ts";
import * as suppliers from "./migrations/0002-suppliers.ts";
import * as aiProxy from "./migrations/0003-ai-proxy.ts";
import * as holdsOfCalls from "./migrations/0004-holds-of-calls.ts";
import * as pricesOfEveryDimension from "./migrations/0005-prices-of-every-dimension.ts";

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
};

/** Brings the schema to the newest version. Safe to call from several processes at once: knex takes a lock. */
export async function migrateToLatest(database: Database): Promise<void> {
  await database.knex.migrate.latest(migratorConfig());
}

/** Takes every migration back, newest first; the tables and all that is in them are gone after it. */
export async function rollBackAll(database: Database): Promise<void> {
  await database.knex.migrate.rollback(migratorConfig(), true);
}

/** Takes the newest migration back that is in force, with what only it can hold. */
export async function rollBackNewest(database: Database): Promise<void> {
  await database.knex.migrate.down(migratorConfig());
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
