/** Waits that end with the server that they belong to. */
export interface Delays {
  /** Resolves after that many milliseconds, or never when all are cancelled before. */
  wait(delayMs: number): Promise<void>;
  /** Ends those that have begun, as if their time had come. */
  endAll(): void;
  cancelAll(): void;
}

/** Creates the waits of one server. */
export function createDelays(): Delays {
  const waits = new Map<NodeJS.Timeout, () => void>();
  const cancelAll = () => {
    for (const timer of waits.keys()) clearTimeout(timer);
    waits.clear();
  };
  return {
    wait: (delayMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          waits.delete(timer);
          resolve();
        }, delayMs);
        waits.set(timer, resolve);
      }),
    endAll() {
      const ends = [...waits.values()];
      cancelAll();
      for (const end of ends) end();
    },
    cancelAll,
  };
}
