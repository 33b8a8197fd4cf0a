import { type Connection, createConnection } from "mysql2/promise";

/** Connects to a server without choosing a database of it. */
export async function connectToServer(serverUrl: string): Promise<Connection> {
  const connection = await createConnection(withDatabaseName(serverUrl, ""));
  // A test that left a transaction open must not hold up the next one for long.
  await connection.query("SET SESSION lock_wait_timeout = 15");
  return connection;
}

/** The same server's address with another database. */
export function withDatabaseName(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
