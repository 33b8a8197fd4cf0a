const FIRST_MS = 500;
const MAX_PAUSE_MS = 30_000;

/** How long to wait after that many attempts: twice as long each time, up to 30 s, of which half is at random. */
export function backoffMs(attempts: number): number {
  const longestMs = Math.min(FIRST_MS * 2 ** (attempts - 1), MAX_PAUSE_MS);
  return Math.round(longestMs * (0.5 + Math.random() / 2));
}

/** Waits, at most until the signal aborts; never throws. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
