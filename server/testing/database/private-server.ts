import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createConnection } from "mysql2/promise";
import {
  initialiseDataFolder,
  type ServerSettings,
  startDatabaseServer,
  stopDatabaseServer,
  waitUntilReady,
} from "../../embedded-database/database-server.ts";
import { requireServerProgram, type ServerProgram } from "../../embedded-database/server-program.ts";
import { readSetting } from "../../settings/setting.ts";
import { testSettings } from "../../settings/test-settings.ts";
import { isRunning } from "../../setup/process-identity.mjs";
import { makeServerFolder, noteServer } from "./server-folder.ts";

/** A database server with a temporary folder of its own. */
export interface PrivateServer {
  /** Its address through its socket, and over TCP; both stay the same when it is started again. */
  readonly url: string;
  readonly tcpUrl: string;
  /** Sends SIGKILL at once, and waits for the end. */
  kill(): Promise<void>;
  /** Starts it again after its end and waits until it answers, which it does when it has recovered. */
  restart(): Promise<void>;
  /** Stops it where it is, with SIGSTOP: it keeps its connections and says nothing. */
  freeze(): void;
  /** Lets it go on when it is frozen. */
  thaw(): void;
  /** Stops it and removes all of it. */
  stop(): Promise<void>;
}

/** A busy machine may take half a minute; this ends what hangs. */
const startTimeoutMs = 300_000;
const pollMs = 5;
const LOG_LINES = 60;

/**
 * Makes and starts a new server. It runs the program that TEST_DATABASE_PROGRAM names (a mariadbd or mysqld, or a
 * script that becomes one and takes its arguments), or else the one that is installed on this machine.
 */
export async function startPrivateServer(
  options: Pick<ServerSettings, "durability"> & { readonly port: number },
): Promise<PrivateServer> {
  const program = testProgram();
  const folder = makeServerFolder();
  const settings: ServerSettings = {
    ...options,
    program,
    dataFolder: join(folder, "data"),
    socket: join(folder, "mysql.sock"),
    logFile: join(folder, "server.log"),
  };
  let identity = "";
  const start = async () => {
    identity = startDatabaseServer(settings);
    noteServer(folder, identity);
    await waitUntilReady({ ...settings, identity }, startTimeoutMs);
  };
  const signal = (name: NodeJS.Signals) => {
    if (isRunning(identity)) process.kill(Number.parseInt(identity, 10), name);
  };
  const stop = async () => {
    if (identity !== "") await stopDatabaseServer(identity);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    initialiseDataFolder(program, settings.dataFolder);
    await start();
    await allowTcp(settings.socket);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `mysql://root@localhost/?socketPath=${encodeURIComponent(settings.socket)}`,
    tcpUrl: `mysql://root@127.0.0.1:${options.port}/`,
    kill() {
      signal("SIGKILL");
      return waitForEnd(identity);
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    async restart() {
      await waitForEnd(identity);
      await start().catch((error: unknown) => {
        // The log goes with the folder when the test ends.
        const log = readFileSync(settings.logFile, "utf8").split("\n").slice(-LOG_LINES).join("\n");
        throw new Error(`The database did not come back; the end of its log:\n${log}`, { cause: error });
      });
    },
    stop,
  };
}

function testProgram(): ServerProgram {
  const path = readSetting(testSettings.databaseProgram, process.env);
  if (path === null) return requireServerProgram((line) => console.error(line));
  const version = execFileSync(path, ["--no-defaults", "--version"], { encoding: "utf8" });
  return { path, flavor: version.includes("MariaDB") ? "mariadb" : "mysql" };
}

async function waitForEnd(identity: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (isRunning(identity)) {
    if (Date.now() > deadline) throw new Error(`The database server ${identity} still runs.`);
    await sleep(pollMs);
  }
}

/** A new MySQL knows root at the socket only, where a new MariaDB knows it at 127.0.0.1 as well. */
async function allowTcp(socket: string): Promise<void> {
  const connection = await createConnection({ socketPath: socket, user: "root" });
  try {
    await connection.query("CREATE USER IF NOT EXISTS root@'127.0.0.1'");
    await connection.query("GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION");
  } finally {
    await connection.end();
  }
}
