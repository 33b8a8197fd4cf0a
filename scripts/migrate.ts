// `npm run migrate -- up|down|status`: the schema of the database that the server uses.
import { closeDatabase, type Database, openDatabase } from "../server/database/database.ts";
import { migrationStatus, rollBackAll } from "../server/database/migrate.ts";
import {
  type DatabaseEnvironment,
  migrateEnvironment,
  openDatabaseEnvironment,
} from "../server/embedded-database/database-environment.ts";
import { reportFailure } from "../server/operator/report-failure.ts";

const usage = `Usage: npm run migrate -- COMMAND
  up          brings the schema to the newest version
  down --yes  takes every migration back, and with them ALL DATA
  status      lists the migrations in force and those that wait
The database is that of DATABASE_URL, or the embedded one of DATA_DIR.`;

const commands: Record<string, (opened: DatabaseEnvironment) => Promise<void>> = {
  up: migrateEnvironment,
  down: (opened) => withDatabase(opened, rollBackAll),
  status: async () => {},
};

try {
  await run(process.argv.slice(2));
} catch (error) {
  reportFailure(error);
}

async function run([name = "", ...options]: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const allowed = name === "down" ? ["--yes"] : [];
  if (!command || options.some((option) => !allowed.includes(option))) throw new Error(usage);
  if (name === "down" && !options.includes("--yes")) {
    throw new Error(
      "This deletes all accounts, orders and codes. If that is meant: npm run migrate -- down --yes",
    );
  }
  const opened = await openDatabaseEnvironment(process.env, (line) => console.error(line));
  try {
    await command(opened);
    await withDatabase(opened, printStatus);
  } finally {
    await opened.close();
  }
}

async function printStatus(database: Database): Promise<void> {
  const { done, waiting } = await migrationStatus(database);
  for (const name of done) console.log(`done     ${name}`);
  for (const name of waiting) console.log(`waiting  ${name}`);
}

async function withDatabase(
  { databaseUrl }: DatabaseEnvironment,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = openDatabase({ url: databaseUrl, poolSize: 2 });
  await work(database).finally(() => closeDatabase(database));
}
