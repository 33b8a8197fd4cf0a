/** Work that goes on when those who asked for it have got an answer, or are gone; a process that stops waits for it. */
export interface BackgroundWork {
  /** @returns the same work, which counts as under way until it has ended. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

export function createBackgroundWork(): BackgroundWork {
  const pending = new Set<Promise<unknown>>();
  return {
    track(work) {
      const forget = () => pending.delete(work);
      pending.add(work);
      work.then(forget, forget);
      return work;
    },
    async idle() {
      while (pending.size > 0) await Promise.allSettled(pending);
    },
  };
}
