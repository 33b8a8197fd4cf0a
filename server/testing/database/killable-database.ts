import { closeDatabase, openDatabase } from "../../database/database.ts";
import { migrateToLatest } from "../../database/migrate.ts";
import { findStablePort } from "../free-port.ts";
import { startPrivateServer } from "./private-server.ts";
import { connectToServer, withDatabaseName } from "./server-address.ts";

/** A database on a server of the test's own, which loses nothing that it has committed when it is killed. */
export interface KillableDatabase {
  /** Its address over TCP, the same after every restart. It has the newest schema and no rows. */
  readonly url: string;
  /** Kills the server with SIGKILL before anything else happens, and waits for its end. */
  kill(): Promise<void>;
  /** Starts a killed server again and waits until it has recovered. */
  restart(): Promise<void>;
  /** Stops the server where it is, with SIGSTOP: it keeps its connections and says nothing. */
  freeze(): void;
  /** Lets a frozen server go on. */
  thaw(): void;
  /** Ends the server and removes its data. */
  dispose(): Promise<void>;
}

const DATABASE_NAME = "shop";

/**
 * Starts a server (two to four seconds) with full durability.
 * It runs the program that TEST_DATABASE_PROGRAM names, or else the one that is installed on this machine.
 */
export async function startKillableDatabase(): Promise<KillableDatabase> {
  const server = await startPrivateServer({ durability: "full", port: await findStablePort() });
  const url = withDatabaseName(server.tcpUrl, DATABASE_NAME);
  try {
    const connection = await connectToServer(server.tcpUrl);
    await connection.query(`CREATE DATABASE ${DATABASE_NAME} CHARACTER SET utf8mb4`);
    await connection.end();
    const database = openDatabase({ url, poolSize: 2 });
    await migrateToLatest(database).finally(() => closeDatabase(database));
  } catch (error) {
    await server.stop();
    throw error;
  }
  const { kill, restart, freeze, thaw, stop: dispose } = server;
  return { url, kill, restart, freeze, thaw, dispose };
}
