import { setTimeout as delay } from "node:timers/promises";
import type { ServerProcess } from "./server-process.ts";

/** What something came to, and the memory of a process meanwhile. */
export interface Measured<T> {
  readonly value: T;
  /** Its resident memory at its highest. */
  readonly mostBytes: number;
  /** How far that is beyond what it was before. */
  readonly grownBytes: number;
  /**
   * The longest that its event loop was late in each while, in milliseconds: unlike the time of an answer, it tells the
   * process's own work from waiting for others.
   */
  readonly loopDelaysMs: readonly number[];
}

/** Looks at a process's memory and event loop every so often while something is done. */
export async function measureMemory<T>(
  { adminUrl }: Pick<ServerProcess, "adminUrl">,
  everyMs: number,
  work: () => Promise<T>,
): Promise<Measured<T>> {
  const { residentBytes: before } = await figuresOf(adminUrl);
  let mostBytes = before;
  const loopDelaysMs: number[] = [];
  const done = new AbortController();
  const sampling = (async () => {
    while (!done.signal.aborted) {
      const { residentBytes, loopDelayMs } = await figuresOf(adminUrl);
      mostBytes = Math.max(mostBytes, residentBytes);
      loopDelaysMs.push(loopDelayMs);
      await delay(everyMs);
    }
  })();
  try {
    const value = await work();
    return { value, mostBytes, grownBytes: mostBytes - before, loopDelaysMs };
  } finally {
    done.abort();
    await sampling;
  }
}

async function figuresOf(adminUrl: string): Promise<{ residentBytes: number; loopDelayMs: number }> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
  return {
    residentBytes: figure("process_resident_memory_bytes"),
    // Since it was looked at last.
    loopDelayMs: figure("nodejs_eventloop_lag_max_seconds") * 1_000,
  };
}
