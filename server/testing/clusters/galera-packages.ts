import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a MariaDB server needs to be a node of a Galera cluster. */
export interface GaleraFiles {
  /** The library that replicates. */
  readonly provider: string;
  /** The folder with the scripts that bring a new node its data. */
  readonly scripts: string;
}

const PROVIDERS = ["/usr/lib/galera/libgalera_smm.so", "/usr/lib64/galera-4/libgalera_smm.so"];
const PACKAGES = ["galera-4", "rsync", "mariadb-client-core", "iproute2"];
/** The package of the scripts starts a server wherever it is installed, so it is only taken apart. */
const SCRIPTS_PACKAGE = "mariadb-server";
const SCRIPT = "wsrep_sst_rsync";
const extractedFolder = join(tmpdir(), "shop-galera-scripts");

/**
 * Finds Galera's files on this machine; on Debian as root, installs what is missing.
 * @returns null with the reason printed where they cannot be had.
 */
export function findGalera(print: (line: string) => void): GaleraFiles | null {
  try {
    if (findProvider() === undefined) installPackages(print);
    const provider = findProvider();
    return provider === undefined ? null : { provider, scripts: findScripts() ?? extractScripts(print) };
  } catch (error) {
    print(`Galera cannot be installed here: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

function findProvider(): string | undefined {
  const tools = ["rsync", "my_print_defaults", "ss"].map((tool) => spawnSync("which", [tool]).status);
  return tools.every((status) => status === 0) ? PROVIDERS.find((path) => existsSync(path)) : undefined;
}

function findScripts(): string | undefined {
  return ["/usr/bin", extractedFolder].find((folder) => existsSync(join(folder, SCRIPT)));
}

function installPackages(print: (line: string) => void): void {
  print(`Installing ${PACKAGES.join(", ")} with apt-get …`);
  apt(["update"]);
  apt(["install", "--yes", "--no-install-recommends", ...PACKAGES]);
}

function extractScripts(print: (line: string) => void): string {
  print(`Fetching the scripts of ${SCRIPTS_PACKAGE} with apt-get …`);
  const folder = mkdtempSync(join(tmpdir(), "shop-galera-"));
  try {
    apt(["download", SCRIPTS_PACKAGE], folder);
    const archive = readdirSync(folder).find((name) => name.endsWith(".deb"));
    if (archive === undefined) throw new Error(`apt-get has not brought ${SCRIPTS_PACKAGE}.`);
    const root = join(folder, "root");
    mkdirSync(root);
    execFileSync("dpkg-deb", ["--extract", join(folder, archive), root]);
    rmSync(extractedFolder, { recursive: true, force: true });
    renameSync(join(root, "usr/bin"), extractedFolder);
    return extractedFolder;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function apt(args: readonly string[], cwd?: string): void {
  execFileSync("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=120", ...args], {
    cwd,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}
