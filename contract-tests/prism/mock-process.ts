import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A running `npm run mock`. */
export interface MockProcess {
  baseUrl: string;
  /** Sends the signal and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the mock of the ordering interface on a free port and waits until it listens. */
export async function startMock(...options: string[]): Promise<MockProcess> {
  const script = join(import.meta.dirname, "../../scripts/mock.ts");
  const child = spawn(process.execPath, [script, "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  return {
    baseUrl: await announcedUrl(child),
    async stop(signal = "SIGTERM") {
      const exit = once(child, "exit");
      child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
}

async function announcedUrl(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("The mock has no output.");
  for await (const line of createInterface(child.stdout)) {
    const [url] = line.match(/http:\S+/) ?? [];
    if (url) return url;
  }
  throw new Error("The mock stopped before it announced its URL.");
}
