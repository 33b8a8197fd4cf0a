import { execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionOptions, createConnection } from "mysql2/promise";
import { identifyProcess, isRunning } from "../setup/process-identity.mjs";
import type { ServerProgram } from "./server-program.ts";

const pollMs = 20;
const stopTimeoutMs = 60_000;

/** How one server runs. */
export interface ServerSettings {
  readonly program: ServerProgram;
  readonly dataFolder: string;
  readonly socket: string;
  /** Everything that the server prints. */
  readonly logFile: string;
  /** Listens on 127.0.0.1 at this port besides the socket. */
  readonly port?: number;
  /** `full`: no committed transaction is ever lost. `relaxed`: a crash of the machine may lose some, for tests. */
  readonly durability: "full" | "relaxed";
}

/** Makes the system tables of a new server in this folder, which must be empty or not exist. */
export function initialiseDataFolder(program: ServerProgram, dataFolder: string): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const shared = ["--no-defaults", ...asUser(), ...folderArguments(dataFolder), "--skip-log-bin"];
  const [args, input] =
    program.flavor === "mariadb"
      ? [[...shared, "--bootstrap", "--log-warnings=0"], readSystemTables(program)]
      : [[...shared, "--initialize-insecure"], ""];
  try {
    execFileSync(program.path, args, { input, stdio: ["pipe", "pipe", "pipe"] });
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    throw new Error(`The database's data folder ${dataFolder} could not be made.\n${errorLines(output)}`);
  }
}

/**
 * Starts a server in a session of its own, so that a Ctrl-C in the terminal does not reach it.
 * It may not answer yet: see waitUntilReady.
 * @returns the identity of its process
 */
export function startDatabaseServer(settings: ServerSettings): string {
  // One log per start, and the one before it, which tells why a server may have died.
  if (existsSync(settings.logFile)) renameSync(settings.logFile, `${settings.logFile}.previous`);
  const log = openSync(settings.logFile, "a", 0o600);
  try {
    const child = spawn(settings.program.path, serverArguments(settings), {
      detached: true,
      stdio: ["ignore", log, log],
    });
    child.unref();
    // Without a listener, a program that cannot be run would end this process; that it has no identity says enough.
    child.on("error", () => {});
    const identity = child.pid === undefined ? undefined : identifyProcess(child.pid);
    if (identity === undefined) throw new Error(`${settings.program.path} cannot be run.`);
    return identity;
  } finally {
    closeSync(log);
  }
}

/**
 * Waits until the server answers on its socket.
 * @throws Error with the last errors of the log when the server ends instead, or does not answer in time
 */
export async function waitUntilReady(
  server: { identity: string; socket: string; logFile: string },
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await answers({ socketPath: server.socket, user: "root" }))) {
    if (!isRunning(server.identity)) {
      const output = readFileSync(server.logFile, "utf8");
      throw new Error(
        `The database server ended while starting; see ${server.logFile}.\n${errorLines(output)}`,
      );
    }
    if (Date.now() > deadline) {
      const pid = Number.parseInt(server.identity, 10);
      throw new Error(
        `The database server (process ${pid}) does not answer on ${server.socket}; see ${server.logFile}.\n` +
          `If it hangs, end it with "kill ${pid}" and run the same command again.`,
      );
    }
    await sleep(pollMs);
  }
}

/** Stops a server and waits for its end. */
export async function stopDatabaseServer(identity: string): Promise<void> {
  const deadline = Date.now() + stopTimeoutMs;
  signal(identity, "SIGTERM");
  while (isRunning(identity)) {
    if (Date.now() > deadline) signal(identity, "SIGKILL");
    await sleep(pollMs);
  }
}

function signal(identity: string, name: NodeJS.Signals): void {
  try {
    if (isRunning(identity)) process.kill(Number.parseInt(identity, 10), name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function serverArguments(settings: ServerSettings): string[] {
  const durable = settings.durability === "full";
  return [
    "--no-defaults",
    ...asUser(),
    ...folderArguments(settings.dataFolder),
    `--socket=${settings.socket}`,
    `--pid-file=${join(dirname(settings.logFile), "server.pid")}`,
    ...(settings.port === undefined
      ? ["--skip-networking"]
      : [`--port=${settings.port}`, "--bind-address=127.0.0.1"]),
    "--skip-log-bin",
    "--skip-name-resolve",
    "--character-set-server=utf8mb4",
    "--max-connections=500",
    "--innodb-buffer-pool-size=256M",
    `--innodb-flush-log-at-trx-commit=${durable ? 1 : 2}`,
    `--innodb-doublewrite=${durable ? "ON" : "OFF"}`,
    ...(settings.program.flavor === "mysql" ? ["--mysqlx=OFF", "--secure-file-priv=NULL"] : []),
  ];
}

/**
 * A starting server clears its folder for temporary tables of all that it finds, also of another server's: none
 * may share it.
 */
function folderArguments(dataFolder: string): string[] {
  const temporary = join(dirname(dataFolder), "tmp");
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  return [`--datadir=${dataFolder}`, `--tmpdir=${temporary}`];
}

/** Servers refuse to run as root unless told that this is meant. */
function asUser(): string[] {
  return process.getuid?.() === 0 ? ["--user=root"] : [];
}

/**
 * The statements that make MariaDB's system tables, with a root that has no password. The usual
 * mariadb-install-db does the same, but needs a program from another package.
 */
function readSystemTables(program: ServerProgram): string {
  const help = execFileSync(program.path, ["--no-defaults", "--verbose", "--help"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const charsets = /^character-sets-dir\s+(\S.*?)\/?$/m.exec(help)?.[1];
  const folder = charsets ? dirname(charsets) : "/usr/share/mysql";
  const files = ["system_tables", "performance_tables", "system_tables_data"].map((name) => {
    const found = [`mariadb_${name}.sql`, `mysql_${name}.sql`]
      .map((file) => join(folder, file))
      .find((file) => existsSync(file));
    if (!found)
      throw new Error(`${program.path} is not installed whole: ${folder}/mysql_${name}.sql is missing.`);
    return readFileSync(found, "utf8");
  });
  // The bootstrap mode reads one statement at a time and wants each to begin on a line of its own.
  return ["CREATE DATABASE mysql;", "USE mysql;", "SET @auth_root_socket=NULL;", ...files].join("\n");
}

async function answers(options: ConnectionOptions): Promise<boolean> {
  try {
    const connection = await createConnection(options);
    await connection.end();
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (["ENOENT", "ECONNREFUSED", "ECONNRESET", "PROTOCOL_CONNECTION_LOST"].includes(code)) return false;
    throw error;
  }
}

/** The lines of a server's output that matter to a person: its errors, or else its last lines. */
function errorLines(output: string): string {
  const lines = output.trim().split("\n");
  const errors = lines.filter((line) => /\bERROR\b/.test(line));
  return (errors.length > 0 ? errors : lines).slice(-5).join("\n");
}
