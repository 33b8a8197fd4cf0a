import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { connectToServer, withDatabaseName } from "./server-address.ts";

/** A database of one test's own, with the newest schema and no rows. */
export interface TestDatabase {
  readonly url: string;
  /** The same database over TCP. */
  readonly tcpUrl: string;
  drop(): Promise<void>;
}

/**
 * Makes a database by copying the migrated template of this run.
 * One that a test does not drop is removed at the end of the run.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  const { template, filledTables } = inject("testServer");
  return copyDatabase(template, filledTables);
}

/** Makes a database with the rows of another, which nobody may be changing: for many tests that begin with the same rows. */
export function copyTestDatabase({ url }: Pick<TestDatabase, "url">): Promise<TestDatabase> {
  return copyDatabase(new URL(url).pathname.slice(1), inject("testServer").tables);
}

async function copyDatabase(original: string, filledTables: readonly string[]): Promise<TestDatabase> {
  const server = inject("testServer");
  const name = server.template.replace(/template$/, randomBytes(6).toString("hex"));
  const connection = await connectToServer(server.url);
  try {
    await connection.query(`CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4`);
    for (const table of server.tables) {
      await connection.query(
        `CREATE TABLE \`${name}\`.\`${table}\` LIKE \`${server.template}\`.\`${table}\``,
      );
    }
    for (const table of filledTables) {
      await connection.query(
        `INSERT INTO \`${name}\`.\`${table}\` SELECT * FROM \`${original}\`.\`${table}\``,
      );
    }
  } finally {
    await connection.end();
  }
  return {
    url: withDatabaseName(server.url, name),
    tcpUrl: withDatabaseName(server.tcpUrl, name),
    drop: () => dropDatabase(server.url, name),
  };
}

async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const connection = await connectToServer(serverUrl);
  try {
    await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
  } finally {
    await connection.end();
  }
}
