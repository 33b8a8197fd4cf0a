/** Waits that end with the server that they belong to. */
export interface Delays {
  /** Resolves after that many milliseconds, or never when all are cancelled before. */
  wait(delayMs: number): Promise<void>;
  cancelAll(): void;
}

/** Creates the waits of one server. */
export function createDelays(): Delays {
  const timers = new Set<NodeJS.Timeout>();
  return {
    wait: (delayMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          resolve();
        }, delayMs);
        timers.add(timer);
      }),
    cancelAll() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
