import { DelegateBackoff, handleWhenResult, retry } from "cockatiel";

/** The time that a call has, with all its repetitions. */
export interface Deadline {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal;
  leftMs(): number;
}

const MAX_REPETITIONS = 4;
const FIRST_PAUSE_MS = 100;

/** Gives the work a deadline, and leaves no timer behind. */
export async function withDeadline<T>(
  timeoutMs: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const endMs = performance.now() + timeoutMs;
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await work({ signal: controller.signal, leftMs: () => endMs - performance.now() });
  } finally {
    clearTimeout(timer);
  }
}

interface Attempt<T> {
  readonly result: T;
  /** How long to wait before the next; null when there is none. */
  readonly pauseMs: number | null;
}

const repetition = retry(
  handleWhenResult((attempt) => (attempt as Attempt<unknown>).pauseMs !== null),
  {
    maxAttempts: MAX_REPETITIONS,
    backoff: new DelegateBackoff<{ result: unknown }>(
      ({ result }) => (result as { value: Attempt<unknown> }).value.pauseMs ?? 0,
    ),
  },
);

/**
 * Makes a call up to five times, with random pauses whose bound doubles each time.
 * @param retryAfterMs how long to wait at least after a result before the call is made again; null: not again. A pause
 * that does not fit into the time that is left ends it, too.
 */
export async function repeating<T>(
  call: () => Promise<T>,
  retryAfterMs: (result: T) => number | null,
  deadline: Deadline,
): Promise<T> {
  const { result } = await repetition.execute(async ({ attempt }): Promise<Attempt<T>> => {
    const result = await call();
    const leastMs = retryAfterMs(result);
    if (leastMs === null) return { result, pauseMs: null };
    const pauseMs = leastMs + Math.random() * FIRST_PAUSE_MS * 2 ** attempt;
    return { result, pauseMs: pauseMs < deadline.leftMs() ? pauseMs : null };
  });
  return result;
}
