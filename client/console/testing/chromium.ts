import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const PROGRAM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const DEBIAN_PACKAGE = "chromium";

/** The browser that is installed on this machine; null where there is none. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const paths = [...folders, "/usr/bin"].flatMap((folder) => PROGRAM_NAMES.map((name) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/**
 * Installs a browser from the system's packages where there is none and that needs no question to anybody: on Debian and its
 * relatives, as root or with a sudo that asks for no password. Elsewhere the tests that need it are left out.
 */
export function installChromium(onProgress: (line: string) => void): void {
  if (findChromium() !== null || !existsSync("/usr/bin/apt-get")) return;
  const [command = "env", ...before] = process.getuid?.() === 0 ? ["env"] : ["sudo", "-n", "env"];
  if (spawnSync(command, [...before, "true"], { stdio: "ignore" }).status !== 0) return;
  onProgress(`No Chromium is installed: installing ${DEBIAN_PACKAGE} with apt-get (about a minute) …`);
  const apt = [
    ...before,
    "DEBIAN_FRONTEND=noninteractive",
    "apt-get",
    "-qq",
    "-o",
    "DPkg::Lock::Timeout=120",
  ];
  try {
    for (const step of [["update"], ["install", "--yes", "--no-install-recommends", DEBIAN_PACKAGE]])
      execFileSync(command, [...apt, ...step], { stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    onProgress(`It could not be installed: ${error instanceof Error ? error.message : error}`);
  }
}
