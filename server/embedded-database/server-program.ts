import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A database server that is installed on this machine. */
export interface ServerProgram {
  readonly path: string;
  readonly flavor: "mariadb" | "mysql";
}

const programNames = ["mariadbd", "mysqld"];

/** Places of the packagings that put servers outside of a person's PATH. */
const usualFolders = [
  "/usr/sbin",
  "/usr/local/sbin",
  "/usr/libexec",
  "/usr/bin",
  "/usr/local/bin",
  "/opt/homebrew/opt/mariadb/bin",
  "/usr/local/opt/mariadb/bin",
  "/opt/homebrew/opt/mysql/bin",
  "/usr/local/opt/mysql/bin",
  "/usr/local/mysql/bin",
];

const debianPackage = "mariadb-server-core";

const installationAdvice = `No MariaDB or MySQL server is installed on this machine. Install one:
  Debian, Ubuntu   sudo apt-get update && sudo apt-get install ${debianPackage}
  Fedora, RHEL     sudo dnf install mariadb-server
  Alpine           sudo apk add mariadb
  macOS            brew install mariadb
or name a server that you have: DATABASE_URL=mysql://user:password@host:3306/database
Then run the same command again.`;

/**
 * Finds the database server's program, preferring MariaDB.
 * @returns undefined when none is installed
 */
function findServerProgram(): ServerProgram | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...usualFolders];
  for (const name of programNames) {
    const path = folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
    if (path === undefined) continue;
    const version = spawnSync(path, ["--no-defaults", "--version"], { encoding: "utf8" });
    if (version.status === 0) {
      return { path, flavor: version.stdout.includes("MariaDB") ? "mariadb" : "mysql" };
    }
  }
  return undefined;
}

/**
 * Finds the database server's program and, where there is none, installs it from the system's packages if
 * that needs no question to the operator: on Debian and its relatives, as root or with a sudo that asks for no password.
 * @throws Error that says what to install
 */
export function requireServerProgram(onProgress: (line: string) => void): ServerProgram {
  const found = findServerProgram();
  if (found) return found;
  const becomeRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  if (!mayInstall(becomeRoot)) throw new Error(installationAdvice);
  onProgress(`No database server is installed: installing ${debianPackage} with apt-get (about a minute) …`);
  installWithApt(becomeRoot);
  const installed = findServerProgram();
  if (!installed) throw new Error(installationAdvice);
  return installed;
}

function mayInstall(becomeRoot: string[]): boolean {
  if (!existsSync("/usr/bin/apt-get")) return false;
  const [command, ...args] = [...becomeRoot, "true"];
  return spawnSync(command ?? "true", args, { stdio: "ignore" }).status === 0;
}

function installWithApt(becomeRoot: string[]): void {
  const apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"];
  const steps = [
    [...apt, "update"],
    [...apt, "install", "--yes", "--no-install-recommends", debianPackage],
  ];
  for (const step of steps) {
    const [command, ...args] = [...becomeRoot, "env", "DEBIAN_FRONTEND=noninteractive", ...step];
    try {
      execFileSync(command ?? "env", args, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
    } catch (error) {
      const output =
        error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
      throw new Error(`${output}\n\n"${step.join(" ")}" failed.\n${installationAdvice}`);
    }
  }
}
