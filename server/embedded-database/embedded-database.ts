import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createConnection } from "mysql2/promise";
import { withFileLock } from "../setup/file-lock.mjs";
import { isRunning, ownIdentity } from "../setup/process-identity.mjs";
import {
  initialiseDataFolder,
  startDatabaseServer,
  stopDatabaseServer,
  waitUntilReady,
} from "./database-server.ts";
import { requireServerProgram } from "./server-program.ts";

/** An open use of the embedded database. */
export interface EmbeddedDatabase {
  /** Its address in the form of DATABASE_URL. */
  readonly url: string;
  /** Ends this use; the last one to end stops the server. */
  close(): Promise<void>;
}

interface RunningServer {
  readonly identity: string;
  readonly socket: string;
}

const databaseName = "shop";
/** The shortest limit of the systems that we run on (Linux allows 107 bytes, macOS 103). */
const longestSocketPath = 103;
/** A server that was killed replays its log first. */
const startTimeoutMs = 600_000;
const adoptionTimeoutMs = 120_000;

let usesOpened = 0;

/**
 * Opens the private database of a data folder, DATA_DIR/database: makes it when it is missing and starts its
 * server when it does not run. All processes that use the same folder share one server; one that was left
 * behind by a killed process is taken over.
 * @param onProgress is told of what takes long
 */
export async function openEmbeddedDatabase(
  dataDir: string,
  onProgress: (line: string) => void,
): Promise<EmbeddedDatabase> {
  const home = resolve(dataDir, "database");
  const usersFolder = join(home, "users");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  mkdirSync(usersFolder, { recursive: true });
  const lock = join(home, "server.lock");
  const ownUse = join(usersFolder, `${ownIdentity}.${++usesOpened}`);

  const close = () =>
    withFileLock(lock, async () => {
      rmSync(ownUse, { force: true });
      if (countUsers(usersFolder) === 0) await stopServer(home);
    });

  const server = await withFileLock(lock, async () => {
    writeFileSync(ownUse, "");
    const running = await ensureServer(home, onProgress);
    await createDatabase(running.socket);
    return running;
  }).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    url: `mysql://root@localhost/${databaseName}?socketPath=${encodeURIComponent(server.socket)}`,
    close,
  };
}

async function ensureServer(home: string, onProgress: (line: string) => void): Promise<RunningServer> {
  const logFile = join(home, "server.log");
  const running = readServer(home);
  if (running) {
    await waitUntilReady({ ...running, logFile }, adoptionTimeoutMs);
    return running;
  }
  const program = requireServerProgram(onProgress);
  const dataFolder = join(home, "data");
  if (!existsSync(dataFolder)) {
    onProgress("Making the database's data folder …");
    // What an interrupted attempt left is thrown away: only a whole data folder gets its name.
    const unfinished = join(home, "data.unfinished");
    rmSync(unfinished, { recursive: true, force: true });
    initialiseDataFolder(program, unfinished);
    renameSync(unfinished, dataFolder);
  }
  const socket = chooseSocket(home);
  const identity = startDatabaseServer({ program, dataFolder, socket, logFile, durability: "full" });
  const server = { identity, socket };
  writeFileSync(recordOf(home), JSON.stringify(server));
  await waitUntilReady({ ...server, logFile }, startTimeoutMs);
  return server;
}

async function stopServer(home: string): Promise<void> {
  const server = readServer(home);
  if (!server) return;
  await stopDatabaseServer(server.identity);
  rmSync(recordOf(home), { force: true });
  if (dirname(server.socket) !== home) rmSync(dirname(server.socket), { recursive: true, force: true });
}

/** Counts the uses whose process still runs and forgets the others. */
function countUsers(usersFolder: string): number {
  let count = 0;
  for (const name of readdirSync(usersFolder)) {
    const identity = name.slice(0, name.lastIndexOf("."));
    if (isRunning(identity)) count += 1;
    else rmSync(join(usersFolder, name), { force: true });
  }
  return count;
}

function recordOf(home: string): string {
  return join(home, "server.json");
}

/** The server that runs on this folder, whichever process started it. */
function readServer(home: string): RunningServer | undefined {
  try {
    const server: RunningServer = JSON.parse(readFileSync(recordOf(home), "utf8"));
    return isRunning(server.identity) ? server : undefined;
  } catch {
    // Not there, or cut short when its writer was killed: no server of ours is known.
    return undefined;
  }
}

/** A socket in the data folder or, where that path is too long for one, in a short private folder. */
function chooseSocket(home: string): string {
  const socket = join(home, "mysql.sock");
  if (Buffer.byteLength(socket) <= longestSocketPath) return socket;
  return join(mkdtempSync(join(tmpdir(), "shop-")), "mysql.sock");
}

async function createDatabase(socket: string): Promise<void> {
  const connection = await createConnection({ socketPath: socket, user: "root" });
  try {
    await connection.query(`CREATE DATABASE IF NOT EXISTS ${databaseName} CHARACTER SET utf8mb4`);
  } finally {
    await connection.end();
  }
}
