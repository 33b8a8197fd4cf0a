import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stopDatabaseServer } from "../../embedded-database/database-server.ts";
import { isRunning, ownIdentity } from "../../setup/process-identity.mjs";

const folderPrefix = "shop-test-";
const serverFolderName = new RegExp(`^${folderPrefix}(\\d+)-(\\d+)-\\d+$`);
const identityFile = "server-identity";
const memoryFolder = "/dev/shm";
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Where servers have their folders: in memory where the system offers that and has room for several, because every test
 * makes and drops tables, and a disk would have each of them written at once.
 */
const serverRoot = hasRoomInMemory() ? memoryFolder : tmpdir();

let made = 0;

/** A new temporary folder for one server; its name tells the process that made it. */
export function makeServerFolder(): string {
  made += 1;
  const folder = join(serverRoot, `${folderPrefix}${ownIdentity.replace(":", "-")}-${made}`);
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
  for (const root of [memoryFolder, tmpdir()].filter((folder) => existsSync(folder))) {
    for (const name of readdirSync(root)) {
      const [, pid, start] = serverFolderName.exec(name) ?? [];
      if (pid === undefined || isRunning(`${pid}:${start}`)) continue;
      const folder = join(root, name);
      const identity = readIdentity(folder);
      if (identity) await stopDatabaseServer(identity);
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function readIdentity(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, identityFile), "utf8");
  } catch {
    return undefined;
  }
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
