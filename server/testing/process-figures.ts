import { setTimeout as delay } from "node:timers/promises";
import type { ServerProcess } from "./server-process.ts";

/** What something came to, and what a process took meanwhile. */
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
  /** How much of a core it used; 0.5 is half of one. */
  readonly cpuShare: number;
  /** How long it used one, in milliseconds. */
  readonly cpuMs: number;
}

/** Node measures from one firing of a timer to the next, so that an idle loop shows its interval. */
const TIMER_MS = 10;

/** Looks at a process's memory and event loop every so often while something is done. */
export async function measureProcess<T>(
  { adminUrl }: Pick<ServerProcess, "adminUrl">,
  everyMs: number,
  work: () => Promise<T>,
): Promise<Measured<T>> {
  const first = await figuresOf(adminUrl);
  const startedMs = performance.now();
  const before = first.residentBytes;
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
    const cpuMs = ((await figuresOf(adminUrl)).cpuSeconds - first.cpuSeconds) * 1_000;
    const cpuShare = cpuMs / (performance.now() - startedMs);
    return { value, mostBytes, grownBytes: mostBytes - before, loopDelaysMs, cpuShare, cpuMs };
  } finally {
    done.abort();
    await sampling;
  }
}

interface Figures {
  readonly residentBytes: number;
  readonly loopDelayMs: number;
  readonly cpuSeconds: number;
}

async function figuresOf(adminUrl: string): Promise<Figures> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
  return {
    residentBytes: figure("process_resident_memory_bytes"),
    // Since it was looked at last.
    loopDelayMs: Math.max(0, figure("nodejs_eventloop_lag_max_seconds") * 1_000 - TIMER_MS),
    cpuSeconds: figure("process_cpu_seconds_total"),
  };
}
