import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { startProgram } from "./program.ts";
import { reachableUrl, servicesValidateResponses } from "./service-front.ts";
import { TEST_KEY_RING } from "./test-shop.ts";

/** The service in a process of its own. */
export interface ServerProcess {
  /** The ordering interface, with its base path. */
  readonly baseUrl: string;
  /** Its port itself, also where a proxy stands before it. */
  readonly ownUrl: string;
  readonly adminUrl: string;
  /** The port of operators itself; undefined where the release has none. */
  readonly operatorUrl: string | undefined;
  /** Everything that it has written to stdout and stderr. */
  log(): string;
  /** Stops it where it is, with SIGSTOP: it keeps its connections and says nothing. */
  freeze(): void;
  /** Lets it go on. */
  thaw(): void;
  /** Sends a signal and waits for the end. @returns the exit code; null when the signal ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * An environment in which servers start in half the time, once one that was started in it has ended by itself: for a test
 * that starts hundreds.
 */
export function fastTimingEnvironment(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "shop-compiled-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { NODE_COMPILE_CACHE: folder };
}

const PROJECT = resolve(import.meta.dirname, "../..");

/**
 * Starts the service as an operator would, on free ports, and waits until it listens.
 * @param env what else its environment says.
 * @param project the folder of the project whose service it is; this one when not given.
 */
export async function startServerProcess(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  project = PROJECT,
): Promise<ServerProcess> {
  const server = startProgram(process.execPath, [join(project, "server/main.ts")], {
    env: {
      ...process.env,
      NODE_ENV: "test",
      LOG_LEVEL: "debug",
      PORT: "0",
      ADMIN_PORT: "0",
      OPERATOR_PORT: "0",
      // However busy the machine is, what is under way is ended.
      STOP_TIMEOUT_MS: "120000",
      DATABASE_URL: databaseUrl,
      CODE_ENCRYPTION_KEYS: TEST_KEY_RING.map(({ id, key }) => `${id}:${key.toString("base64")}`).join(","),
      ...(servicesValidateResponses() ? {} : { VALIDATE_RESPONSES: "off" }),
      ...env,
    },
  });
  const started = JSON.parse(await server.printed(/"service started"/));
  return {
    baseUrl: `${await reachableUrl(started.url)}/shop/v1`,
    ownUrl: started.url,
    adminUrl: started.adminUrl,
    operatorUrl: started.operatorUrl,
    log: server.output,
    freeze: () => void server.child.kill("SIGSTOP"),
    thaw: () => void server.child.kill("SIGCONT"),
    kill: async (signal) => (await server.kill(signal)).exitCode,
  };
}
