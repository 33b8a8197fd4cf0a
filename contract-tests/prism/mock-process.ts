import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { InterfaceName } from "../contract.ts";

/** A running `npm run mock`. */
export interface MockProcess {
  baseUrls: Record<InterfaceName, string>;
  /** Sends the signal and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the mock on free ports and waits until it listens. */
export async function startMock(...options: string[]): Promise<MockProcess> {
  const script = join(import.meta.dirname, "../../scripts/mock.ts");
  const child = spawn(process.execPath, [script, "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  return {
    baseUrls: await announcedUrls(child),
    async stop(signal = "SIGTERM") {
      const exit = once(child, "exit");
      child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
}

async function announcedUrls(child: ChildProcess): Promise<MockProcess["baseUrls"]> {
  if (!child.stdout) throw new Error("The mock has no output.");
  const urls: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    urls.push(...(line.match(/(?<=^The mock of .* is at )http:\S+/) ?? []));
    const [ordering, proxy] = urls;
    if (ordering && proxy) return { ordering, proxy };
  }
  throw new Error("The mock stopped before it announced its URLs.");
}
