import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stopDatabaseServer } from "../../embedded-database/database-server.ts";
import { isRunning, ownIdentity } from "../../setup/process-identity.mjs";

const folderPrefix = "shop-test-";
const identityFile = "server-identity";

let made = 0;

/** A new temporary folder for one server; its name tells the process that made it. */
export function makeServerFolder(): string {
  made += 1;
  const folder = join(tmpdir(), `${folderPrefix}${ownIdentity.replace(":", "-")}-${made}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Notes which server runs in a folder, so that it is found when this process is killed. */
export function noteServer(folder: string, identity: string): void {
  writeFileSync(join(folder, identityFile), identity);
}

/** Stops the servers of processes that ended before they could do it, and removes their folders. */
export async function removeLeftServers(): Promise<void> {
  mkdirSync(tmpdir(), { recursive: true });
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(folderPrefix)) continue;
    const [pid, start] = name.slice(folderPrefix.length).split("-");
    if (isRunning(`${pid}:${start}`)) continue;
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
