import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { PurchaseStore, StoredPurchase } from "./purchase.ts";

// Long enough for the process that is writing it.
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * A store in a folder of its own: a file for each purchase, in `open` until its end is known; then in `concluded` when it
 * was delivered, and in `refused` when it was not. Where one is in several, as while it moves, `concluded` is before `open`
 * and `open` before `refused`: so nothing that two users of one id do at once loses it. Each file is written aside, synced to
 * the disk, put in its place as a whole, and its folder synced. Any number of processes may share the folder. Its files hold
 * codes: they are readable to their owner alone, and stay until you delete them. The folder must be on a disk that survives a
 * crash, not in a container's own file system.
 */
export function createFileStore(folder: string): PurchaseStore {
  const root = resolve(folder);
  const folders = {
    open: join(root, "open"),
    refused: join(root, "refused"),
    concluded: join(root, "concluded"),
    aside: join(root, "aside"),
  };
  let prepared: Promise<void> | undefined;
  const prepare = () => {
    prepared ??= makeFolders(root, Object.values(folders)).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };

  const findDelivered = async (name: string): Promise<StoredPurchase | null> => {
    const concluded = await read(join(folders.concluded, name));
    return concluded?.conclusion?.kind === "delivered" ? concluded : null;
  };
  const find = async (name: string): Promise<StoredPurchase | null> =>
    (await findDelivered(name)) ??
    (await read(join(folders.open, name))) ??
    (await read(join(folders.refused, name))) ??
    // It may have been delivered in between; and before there was a folder for them, what was refused was here as well.
    (await read(join(folders.concluded, name)));

  return {
    async begin(purchase) {
      await prepare();
      const name = fileNameOf(purchase.baseUrl, purchase.externalOrderId);
      const known = await find(name);
      if (known !== null) return { purchase: known, isNew: false };
      const isNew = await put(folders.aside, join(folders.open, name), purchase, "keep");
      return { purchase: isNew ? purchase : ((await find(name)) ?? purchase), isNew };
    },
    async conclude(purchase, conclusion) {
      await prepare();
      const name = fileNameOf(purchase.baseUrl, purchase.externalOrderId);
      const folder = conclusion.kind === "delivered" ? folders.concluded : folders.refused;
      await put(folders.aside, join(folder, name), { ...purchase, conclusion }, "replace");
      await remove(join(folders.open, name));
    },
    async reopen(purchase) {
      await prepare();
      const name = fileNameOf(purchase.baseUrl, purchase.externalOrderId);
      if ((await findDelivered(name)) !== null) return false;
      // What it was refused with stays, since another user may conclude it at this moment.
      return put(folders.aside, join(folders.open, name), { ...purchase, conclusion: null }, "keep");
    },
    async find(baseUrl, externalOrderId) {
      await prepare();
      return find(fileNameOf(baseUrl, externalOrderId));
    },
    async unfinished(baseUrl) {
      await prepare();
      await removeAbandoned(folders.aside);
      const found = await Promise.all((await readdir(folders.open)).map(find));
      return found.filter(
        (purchase): purchase is StoredPurchase =>
          purchase?.baseUrl === baseUrl && purchase.conclusion === null,
      );
    },
  };
}

/** An id may hold any character, a file's name may not. */
function fileNameOf(baseUrl: string, externalOrderId: string): string {
  const identity = JSON.stringify([baseUrl, externalOrderId]);
  return `${createHash("sha256").update(identity).digest("hex")}.json`;
}

async function makeFolders(root: string, folders: readonly string[]): Promise<void> {
  const made = await mkdir(root, { recursive: true, mode: 0o700 });
  await Promise.all(folders.map((folder) => mkdir(folder, { recursive: true, mode: 0o700 })));
  await syncFolder(root);
  if (made === undefined) return;
  for (let folder = root; folder !== dirname(made); folder = dirname(folder))
    await syncFolder(dirname(folder));
}

/**
 * Puts a file in its place, whole and for good. Where there is one already, `keep` leaves that.
 * @returns whether the file is the new one.
 */
async function put(
  aside: string,
  path: string,
  purchase: StoredPurchase,
  existing: "keep" | "replace",
): Promise<boolean> {
  const written = join(aside, randomUUID());
  const file = await open(written, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(purchase, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  const isNew = existing === "replace" ? await move(written, path) : await moveUnlessThere(written, path);
  // Also where it was there: the process that put it there may not have come to this.
  await syncFolder(dirname(path));
  return isNew;
}

async function move(from: string, to: string): Promise<true> {
  await rename(from, to);
  return true;
}

async function moveUnlessThere(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await unlink(from);
  }
}

async function read(path: string): Promise<StoredPurchase | null> {
  const text = await unlessMissing(readFile(path, "utf8"));
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    // The parser's own error shows part of the file, which may be a code.
    throw new Error(`${path} holds no purchase.`);
  }
}

async function remove(path: string): Promise<void> {
  await unlessMissing(unlink(path));
  await syncFolder(dirname(path));
}

/** What a process that was killed has left; it may hold codes that are in their place as well. */
async function removeAbandoned(aside: string): Promise<void> {
  for (const name of await readdir(aside)) {
    const path = join(aside, name);
    const status = await unlessMissing(stat(path));
    if (status !== null && Date.now() - status.mtimeMs > ABANDONED_AFTER_MS) {
      await unlessMissing(unlink(path));
    }
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync a folder.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
