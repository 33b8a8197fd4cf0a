import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { stopDatabaseServer } from "../../embedded-database/database-server.ts";
import { identifyProcess, isRunning } from "../../setup/process-identity.mjs";
import { noteServer } from "../database/server-folder.ts";

/** How the server of a node is started. */
export interface ServerNodeSettings {
  readonly program: string;
  /** Holds everything of the node: `my.cnf`, `data/`, `server.log`, `mysql.sock`. */
  readonly folder: string;
  readonly port: number;
  /** The environment, for programs that the server calls. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The process of one node. */
export interface ServerNode {
  readonly settings: ServerNodeSettings;
  /** Starts it with these arguments beside its file; it may not answer yet. */
  start(args?: readonly string[]): void;
  kill(): Promise<void>;
  stop(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Asks it as root through its socket. @throws when no answer comes within seconds. */
  query<Row>(sql: string): Promise<Row[]>;
  /** The same for what it is to do, which may take a busy one long. */
  run(sql: string): Promise<void>;
  /** Waits until `holds` does, whose failures count as no. @throws with the end of the log when it does not in time. */
  waitUntil(what: string, holds: () => Promise<boolean>): Promise<void>;
}

const POLL_MS = 100;
const QUERY_TIMEOUT_MS = 5_000;
const WAIT_MS = 180_000;
const LOG_LINES = 40;

/** Servers refuse to run as root unless told which user they are to be. */
export const startedByRoot = process.getuid?.() === 0;

const socketOf = (folder: string): string => join(folder, "mysql.sock");

/** How `my.cnf` of every node begins. @param user whom a server that root starts becomes */
export function commonSettings({ folder, port }: { folder: string; port: number }, user = "root"): string {
  return `[mysqld]
${startedByRoot ? `user=${user}` : ""}
datadir=${join(folder, "data")}
tmpdir=${join(folder, "tmp")}
socket=${socketOf(folder)}
pid-file=${join(folder, "server.pid")}
port=${port}
bind-address=127.0.0.1
skip-name-resolve
character-set-server=utf8mb4
max-connections=500
innodb-buffer-pool-size=128M`;
}

/** A server whose settings are in `my.cnf` of its folder. */
export function createServerNode(settings: ServerNodeSettings): ServerNode {
  const { program, folder, env } = settings;
  let identity = "";
  const signal = (name: NodeJS.Signals) => {
    if (isRunning(identity)) process.kill(Number.parseInt(identity, 10), name);
  };
  const waitUntil = async (what: string, holds: () => Promise<boolean>) => {
    const deadline = Date.now() + WAIT_MS;
    while (!(await holds().catch(() => false))) {
      if (!isRunning(identity)) throw new Error(`A node ended before ${what}:\n${logOf(folder)}`);
      if (Date.now() > deadline) throw new Error(`It took too long until ${what}:\n${logOf(folder)}`);
      await delay(POLL_MS);
    }
  };
  return {
    settings,
    start(args = []) {
      identity = launch(program, [`--defaults-file=${join(folder, "my.cnf")}`, ...args], { folder, env });
      noteServer(folder, identity);
    },
    async kill() {
      signal("SIGKILL");
      while (isRunning(identity)) await delay(POLL_MS);
    },
    stop: async () => (identity === "" ? undefined : stopDatabaseServer(identity)),
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    query: (sql) => queryThrough(socketOf(folder), sql, QUERY_TIMEOUT_MS),
    run: async (sql) => void (await queryThrough(socketOf(folder), sql, WAIT_MS)),
    waitUntil,
  };
}

/** Runs the server's program to its end. @returns what it printed. */
export function runServerProgram(
  { program, folder, env }: ServerNodeSettings,
  args: readonly string[],
): string {
  const all = [`--defaults-file=${join(folder, "my.cnf")}`, ...args];
  const { stdout, stderr } = spawnSync(program, all, { env, encoding: "utf8" });
  return `${stdout}\n${stderr}`;
}

function launch(
  program: string,
  args: readonly string[],
  { folder, env }: { folder: string; env: NodeJS.ProcessEnv | undefined },
): string {
  const logFile = join(folder, "server.log");
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.previous`);
  const log = openSync(logFile, "a");
  try {
    const child = spawn(program, args, { env, detached: true, stdio: ["ignore", log, log] });
    child.unref();
    const identity = child.pid === undefined ? undefined : identifyProcess(child.pid);
    if (identity === undefined) throw new Error(`${program} cannot be run.`);
    return identity;
  } finally {
    closeSync(log);
  }
}

async function queryThrough<Row>(socketPath: string, sql: string, timeout: number): Promise<Row[]> {
  const connection = await createConnection({ socketPath, user: "root", connectTimeout: QUERY_TIMEOUT_MS });
  try {
    const [rows] = await connection.query<RowDataPacket[]>({ sql, timeout });
    return rows as Row[];
  } finally {
    connection.destroy();
  }
}

function logOf(folder: string): string {
  return readFileSync(join(folder, "server.log"), "utf8").split("\n").slice(-LOG_LINES).join("\n");
}
