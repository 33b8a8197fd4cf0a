import type { TestProject } from "vitest/node";
import { closeDatabase, openDatabase } from "../../database/database.ts";
import { migrateToLatest } from "../../database/migrate.ts";
import { readSetting } from "../../settings/setting.ts";
import { testSettings } from "../../settings/test-settings.ts";
import { findStablePort, removeLeftClaims } from "../free-port.ts";
import { startPrivateServer } from "./private-server.ts";
import { removeLeftDatabases, runPrefix } from "./run-databases.ts";
import { connectToServer, withDatabaseName } from "./server-address.ts";
import { removeLeftServers } from "./server-folder.ts";

/** What the test files are told of the database server; see createTestDatabase. */
export interface ProvidedTestServer {
  /** Address of the server, through its socket where it has one. */
  readonly url: string;
  /** Address of the server over TCP. */
  readonly tcpUrl: string;
  /** Database that holds the migrated schema, to be copied. */
  readonly template: string;
  /** Names of the template's tables, and of those among them that a migration has put rows into. */
  readonly tables: string[];
  readonly filledTables: string[];
}

/** The server of one test run. */
interface RunServer {
  readonly url: string;
  readonly tcpUrl: string;
  /** Removes everything that the run made. */
  stop(): Promise<void>;
}

declare module "vitest" {
  interface ProvidedContext {
    testServer: ProvidedTestServer;
  }
}

/**
 * Once per test run: starts a private database server, or takes the one that TEST_DATABASE_URL names, and
 * makes the template that every test's database is a copy of. Nothing of it stays after the run.
 */
export default async function setUpTestDatabases(project: TestProject): Promise<() => Promise<void>> {
  const given = readSetting(testSettings.databaseUrl, process.env);
  await removeLeftServers();
  removeLeftClaims();
  const server = given
    ? externalServer(given)
    : await startPrivateServer({ durability: "relaxed", port: await findStablePort() });
  try {
    project.provide("testServer", await makeTemplate(server));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return async () => {
    await server.stop();
    // A test that failed may have left a server of its own.
    await removeLeftServers();
  };
}

function externalServer(url: string): RunServer {
  return { url, tcpUrl: url, stop: () => removeLeftDatabases(url) };
}

async function makeTemplate(server: RunServer): Promise<ProvidedTestServer> {
  await removeLeftDatabases(server.url);
  const template = `${runPrefix}template`;
  const connection = await connectToServer(server.url);
  try {
    await connection.query(`CREATE DATABASE \`${template}\` CHARACTER SET utf8mb4`);
    const database = openDatabase({ url: withDatabaseName(server.url, template), poolSize: 2 });
    await migrateToLatest(database).finally(() => closeDatabase(database));

    const [rows] = await connection.query(`SHOW TABLES FROM \`${template}\``);
    const tables = (rows as Record<string, string>[]).flatMap((row) => Object.values(row));
    const filledTables: string[] = [];
    for (const table of tables) {
      const [found] = await connection.query(`SELECT 1 FROM \`${template}\`.\`${table}\` LIMIT 1`);
      if ((found as unknown[]).length > 0) filledTables.push(table);
    }
    return { url: server.url, tcpUrl: server.tcpUrl, template, tables, filledTables };
  } finally {
    await connection.end();
  }
}
