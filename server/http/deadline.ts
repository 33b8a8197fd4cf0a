import { DeadlinePassedError } from "./errors.ts";

/** How long the service may work on what a caller waits for, where its operation says nothing else. */
export const DEADLINE_MS = 10_000;

/** Those who wait for work, each with what ends the waiting. */
export type Waiting = Set<(reason: Error) => void>;

/**
 * Waits for work only as long as a caller is to wait, or may be: the work itself goes on, and what comes of it is dropped.
 * @param deadlineMs null: the work bounds itself.
 * @throws {DeadlinePassedError} it takes longer. @throws what the waiting was ended with.
 */
export async function beforeDeadline<T>(
  work: Promise<T>,
  deadlineMs: number | null,
  waiting?: Waiting,
): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const late = () => ended.reject(new DeadlinePassedError());
  const timer = deadlineMs === null ? undefined : setTimeout(late, deadlineMs);
  waiting?.add(ended.reject);
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    clearTimeout(timer);
    waiting?.delete(ended.reject);
  }
}
