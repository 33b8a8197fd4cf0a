import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { INTERFACES } from "../contract.ts";

/** A running `npm run mock`. */
export interface MockProcess {
  /** The base URL of an interface. @throws when there is none of that name. */
  baseUrl(name: string): string;
  /** Sends the signal and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the mock on free ports and waits until it listens. */
export async function startMock(...options: string[]): Promise<MockProcess> {
  const script = join(import.meta.dirname, "../../scripts/mock.ts");
  const child = spawn(process.execPath, [script, "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const urls = await announcedUrls(child);
  return {
    baseUrl(name) {
      const url = urls.get(name);
      if (url === undefined) throw new Error(`There is no mock of ${name}.`);
      return url;
    },
    async stop(signal = "SIGTERM") {
      const exit = once(child, "exit");
      child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
}

/** The base URLs by the names of the interfaces. */
async function announcedUrls(child: ChildProcess): Promise<ReadonlyMap<string, string>> {
  if (!child.stdout) throw new Error("The mock has no output.");
  const urls = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name, url] = /^The mock of (\S+) is at (http:\S+)/.exec(line) ?? [];
    if (name && url) urls.set(name, url);
    if (urls.size === INTERFACES.length) return urls;
  }
  throw new Error("The mock stopped before it announced its URLs.");
}
