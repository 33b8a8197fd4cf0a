import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { TEST_KEY_RING } from "./test-shop.ts";
import { goesThroughPrism, reachableUrl } from "./through-prism.ts";

/** The service in a process of its own. */
export interface ServerProcess {
  /** The ordering interface, with its base path. */
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** Everything that it has written to stdout and stderr. */
  log(): string;
  /** Sends a signal and waits for the end. @returns the exit code; null when the signal ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * An environment in which servers start in half the time, once one that was started in it has ended by itself: for a test
 * that starts hundreds.
 */
export function quickStartEnvironment(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "shop-compiled-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { NODE_COMPILE_CACHE: folder };
}

const MAIN = new URL("../main.ts", import.meta.url).pathname;

/**
 * Starts the service as an operator would, on free ports, and waits until it listens.
 * @param env what else its environment says.
 */
export async function startServerProcess(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      NODE_ENV: "test",
      LOG_LEVEL: "debug",
      PORT: "0",
      ADMIN_PORT: "0",
      DATABASE_URL: databaseUrl,
      CODE_ENCRYPTION_KEYS: TEST_KEY_RING.map(({ id, key }) => `${id}:${key.toString("base64")}`).join(","),
      ...(goesThroughPrism ? { VALIDATE_RESPONSES: "off" } : {}),
      ...env,
    },
  });
  const lines: string[] = [];
  const ended = once(child, "exit");
  const started = await firstStarted(child, lines);
  return {
    baseUrl: `${await reachableUrl(started.url)}/shop/v1`,
    adminUrl: started.adminUrl,
    log: () => lines.join("\n"),
    async kill(signal) {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

function firstStarted(child: ChildProcess, lines: string[]): Promise<{ url: string; adminUrl: string }> {
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) throw new Error("The server's output is not piped.");
      createInterface({ input: stream }).on("line", (line) => {
        lines.push(line);
        if (line.includes('"service started"')) resolve(JSON.parse(line));
      });
    }
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}:\n${lines.join("\n")}`)));
  });
}
