import { setTimeout as delay } from "node:timers/promises";
import type { ServerProcess } from "./server-process.ts";

/** What something came to, and the memory of a process meanwhile. */
export interface Measured<T> {
  readonly value: T;
  /** Its resident memory at its highest. */
  readonly mostBytes: number;
  /** How far that is beyond what it was before. */
  readonly grownBytes: number;
}

/** Looks at a process's memory every so often while something is done. */
export async function measureMemory<T>(
  { adminUrl }: Pick<ServerProcess, "adminUrl">,
  everyMs: number,
  work: () => Promise<T>,
): Promise<Measured<T>> {
  const before = await residentBytes(adminUrl);
  let mostBytes = before;
  const done = new AbortController();
  const sampling = (async () => {
    while (!done.signal.aborted) {
      mostBytes = Math.max(mostBytes, await residentBytes(adminUrl));
      await delay(everyMs);
    }
  })();
  try {
    const value = await work();
    return { value, mostBytes, grownBytes: mostBytes - before };
  } finally {
    done.abort();
    await sampling;
  }
}

async function residentBytes(adminUrl: string): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
}
