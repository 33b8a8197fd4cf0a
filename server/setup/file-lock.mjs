import { mkdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, ownIdentity } from "./process-identity.mjs";

const pollMs = 25;

/**
 * Does work while no other process holds the lock at this path. A lock whose owner died is taken over.
 * @template T
 * @param {string} path
 * @param {() => T | Promise<T>} work
 * @param {{ onWait?: () => void }} [options] onWait is called once when another process holds the lock
 * @returns {Promise<T>}
 */
export async function withFileLock(path, work, { onWait } = {}) {
  mkdirSync(dirname(path), { recursive: true });
  let waited = false;
  while (!claim(path)) {
    const owner = readOwner(path);
    if (owner !== undefined && !isRunning(owner)) {
      removeStale(path, owner);
      continue;
    }
    if (!waited) onWait?.();
    waited = true;
    await sleep(pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/**
 * A symbolic link is made in one step together with its text, so no process ever reads a lock without an owner.
 * @param {string} path
 */
function claim(path) {
  try {
    symlinkSync(ownIdentity, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/** @param {string} path */
function readOwner(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Only one process at a time may remove a dead owner's lock: otherwise a slow one would remove the lock
 * that a quick one has just taken in its place.
 * @param {string} path
 * @param {string} deadOwner
 */
function removeStale(path, deadOwner) {
  const breaker = `${path}.breaking`;
  if (!claim(breaker)) {
    const other = readOwner(breaker);
    if (other !== undefined && !isRunning(other)) rmSync(breaker, { force: true });
    return;
  }
  try {
    if (readOwner(path) === deadOwner) rmSync(path, { force: true });
  } finally {
    rmSync(breaker, { force: true });
  }
}
