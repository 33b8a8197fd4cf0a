import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  initialiseDataFolder,
  startDatabaseServer,
  stopDatabaseServer,
  waitUntilReady,
} from "../../../scripts/embedded-database/database-server.ts";
import { requireServerProgram } from "../../../scripts/embedded-database/server-program.ts";
import { findFreePort } from "../../../scripts/free-port.ts";
import { isRunning, ownIdentity } from "../../../scripts/setup/process-identity.mjs";

/** A database server for one test run. */
export interface TestServer {
  readonly url: string;
  readonly tcpUrl: string;
  /** Removes everything that the run made. */
  stop(): Promise<void>;
}

const folderPrefix = "shop-test-";
const identityFile = "server-identity";
const startTimeoutMs = 60_000;

/** Starts a server of this run's own in a temporary folder; it is gone, with its data, when the run ends. */
export async function startTestServer(): Promise<TestServer> {
  await removeLeftServers();
  const folder = join(tmpdir(), `${folderPrefix}${ownIdentity.replace(":", "-")}`);
  const program = requireServerProgram((line) => console.error(line));
  const dataFolder = join(folder, "data");
  initialiseDataFolder(program, dataFolder);

  const socket = join(folder, "mysql.sock");
  const logFile = join(folder, "server.log");
  const port = await findFreePort();
  const identity = startDatabaseServer({ program, dataFolder, socket, logFile, port, durability: "relaxed" });
  writeFileSync(join(folder, identityFile), identity);
  const stop = async () => {
    await stopDatabaseServer(identity);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilReady({ identity, socket, logFile }, startTimeoutMs);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `mysql://root@localhost/?socketPath=${encodeURIComponent(socket)}`,
    tcpUrl: `mysql://root@127.0.0.1:${port}/`,
    stop,
  };
}

/** Stops the servers of runs that were killed before they could do it. */
async function removeLeftServers(): Promise<void> {
  mkdirSync(tmpdir(), { recursive: true });
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(folderPrefix)) continue;
    if (isRunning(name.slice(folderPrefix.length).replace("-", ":"))) continue;
    const folder = join(tmpdir(), name);
    const identity = readIdentity(folder);
    if (identity) await stopDatabaseServer(identity);
    rmSync(folder, { recursive: true, force: true });
  }
}

function readIdentity(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, identityFile), "utf8");
  } catch {
    return undefined;
  }
}
