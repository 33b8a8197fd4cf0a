import { setTimeout as delay } from "node:timers/promises";

/** The time that a call has, with all its repetitions. */
export interface Deadline {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  /** Whether there is time to send once more after such a pause. */
  allows(pauseMs: number): boolean;
}

const MAX_RETRIES = 4;
const FIRST_PAUSE_MS = 100;
// A request that is cut short by the deadline would leave in doubt what was certain before it.
const SHARE_FOR_SENDING = 0.1;

/** Gives the work a deadline, and leaves no timer behind. */
export async function withDeadline<T>(
  timeoutMs: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const lastStartMs = performance.now() + timeoutMs * (1 - SHARE_FOR_SENDING);
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await work({
      signal: controller.signal,
      allows: (pauseMs) => performance.now() + pauseMs <= lastStartMs,
    });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Makes a call up to five times, with random pauses whose bound doubles each time.
 * @param retryAfterMs how long to wait at least after a result before the call is made again; null: not again. A pause
 * that the deadline does not allow ends it, too.
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  retryAfterMs: (result: T) => number | null,
  deadline: Deadline,
): Promise<T> {
  for (let repetition = 0; ; repetition += 1) {
    const result = await call();
    const leastMs = retryAfterMs(result);
    if (leastMs === null || repetition === MAX_RETRIES) return result;
    const pauseMs = leastMs + Math.random() * FIRST_PAUSE_MS * 2 ** repetition;
    if (!deadline.allows(pauseMs)) return result;
    await delay(pauseMs);
  }
}
