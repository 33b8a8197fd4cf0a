import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { serviceNodeOptions } from "../../server/setup/service-node-options.mjs";
import { findFreePort } from "../../server/testing/free-port.ts";
import { pidOf, startProcess, stopProcess } from "./child-process.ts";

const MAIN = new URL("../../server/main.ts", import.meta.url);
const BASE_PATH = "/shop/v1";
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** How the service runs in the bench, besides its defaults; printed with the results. */
export const SERVICE_SETTINGS = {
  NODE_ENV: "production",
  LOG_LEVEL: "warn",
  CALLS_IN_FLIGHT_LIMIT: "1000000",
} as const;

/** The service under test, in a process of its own. */
export interface Service {
  /** The ordering interface with its base path. */
  readonly url: string;
  /** The AI proxy, without the `/v1` of its paths. */
  readonly proxyUrl: string;
  readonly pid: number;
  /** Its resident memory now. */
  residentBytes(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts the service as in production and waits until it answers.
 * @param profileFolder where it leaves a CPU profile when it stops; undefined for none
 */
export async function startService(
  environment: Readonly<Record<string, string>>,
  profileFolder?: string,
): Promise<Service> {
  const [port, adminPort] = await Promise.all([findFreePort(), findFreePort()]);
  const child = startProcess(MAIN, {
    env: {
      ...environment,
      ...SERVICE_SETTINGS,
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      OPERATOR_PORT: "0",
    },
    nodeArguments: [
      ...serviceNodeOptions,
      ...(profileFolder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`]),
    ],
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady(adminPort))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error("The service did not start.");
    await sleep(POLL_MS);
  }
  return {
    url: `http://127.0.0.1:${port}${BASE_PATH}`,
    proxyUrl: `http://127.0.0.1:${port}`,
    pid: pidOf(child),
    residentBytes: () => residentBytesOf(pidOf(child)),
    stop: () => stopProcess(child),
  };
}

// The service's own metrics would be asked for at the cost of what they list: every open socket.
async function residentBytesOf(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number(stdout) * 1_024;
}

async function isReady(adminPort: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${adminPort}/readyz`)).ok;
  } catch {
    return false;
  }
}
