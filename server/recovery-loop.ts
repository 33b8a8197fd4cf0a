import { setTimeout as delay } from "node:timers/promises";

/** A loop that brings abandoned work to an end; every server process runs one of each kind. */
export interface Recovery {
  /** Takes up nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * Runs rounds, one after another, until it is stopped.
 * @param round never rejects; it calls `rest` when nothing is left to do, which waits for the interval or the stop.
 */
export function startRecoveryLoop(
  intervalMs: number,
  round: (rest: () => Promise<void>) => Promise<void>,
): Recovery {
  const stopped = new AbortController();
  const rest = () => delay(intervalMs, undefined, { signal: stopped.signal }).catch(() => {});
  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) await round(rest);
  }
  const looping = loop();
  return {
    async stop() {
      stopped.abort();
      await looping;
    },
  };
}
