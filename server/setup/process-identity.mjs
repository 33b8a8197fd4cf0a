import { readFileSync } from "node:fs";

/**
 * Names a running process as `pid:start`, so that another process which was later given the same number
 * is not taken for it. A process that ended, or ended and only waits to be reaped, has no identity.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function identifyProcess(pid) {
  if (process.platform === "linux") return identifyFromProc(pid);
  try {
    process.kill(pid, 0);
    return `${pid}:0`;
  } catch (error) {
    // EPERM: it runs, under another user.
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM" ? `${pid}:0` : undefined;
  }
}

/**
 * Tells whether the process that an identity was taken of still runs.
 * @param {string} identity
 */
export function isRunning(identity) {
  return identifyProcess(Number.parseInt(identity, 10)) === identity;
}

/** The identity of this process. */
export const ownIdentity = identifyProcess(process.pid) ?? `${process.pid}:0`;

/** @param {number} pid */
function identifyFromProc(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  return identityIn(stat);
}

/**
 * The identity of the process that a line of /proc/PID/stat is about.
 * @param {string} stat
 * @returns {string | undefined}
 */
export function identityIn(stat) {
  // The program's name, in parentheses, may hold spaces; state, threads and start time are fields 3, 20 and 22.
  const pid = Number.parseInt(stat, 10);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ended = fields[0] === "Z" || fields[0] === "X";
  // The first thread of a killed process may have ended while others still finish what they write.
  const threads = Number(fields[17]);
  return ended && threads <= 1 ? undefined : `${pid}:${fields[19]}`;
}
