import { randomInt } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { isRunning, ownIdentity } from "../setup/process-identity.mjs";

/** A port of this machine that no program listens on at the moment, for programs that cannot say which one they took. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/**
 * A free port that is still free while its server is down: no other test of this machine is given it while this process
 * lives. From 32768 on the system gives ports to connections: one of those that wait for the server could be given the
 * server's own, and would then be connected to itself.
 */
export async function findStablePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (claim(port) && (await isFree(port))) return port;
  }
}

const claimsFolder = join(tmpdir(), `shop-test-ports-${userInfo().uid}`);
/** The files that say which ports are this process's. */
const claims: string[] = [];

/** Writes down whose port it is from now on, unless it is somebody's. */
function claim(port: number): boolean {
  mkdirSync(claimsFolder, { recursive: true });
  const file = join(claimsFolder, String(port));
  try {
    writeFileSync(file, ownIdentity, { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    giveUpClaimOfEnded(file);
    return false;
  }
  if (claims.length === 0) process.once("exit", removeClaims);
  claims.push(file);
  return true;
}

function removeClaims(): void {
  for (const file of claims) rmSync(file, { force: true });
}

/** Gives up the ports of processes that were killed. */
export function removeLeftClaims(): void {
  mkdirSync(claimsFolder, { recursive: true });
  for (const port of readdirSync(claimsFolder)) giveUpClaimOfEnded(join(claimsFolder, port));
}

function giveUpClaimOfEnded(file: string): void {
  try {
    const owner = readFileSync(file, "utf8");
    if (owner !== "" && !isRunning(owner)) rmSync(file, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
