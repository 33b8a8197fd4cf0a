import { DeadlinePassedError } from "./errors.ts";

/** How long the service may work on what a caller waits for, where its operation says nothing else. */
export const DEADLINE_MS = 10_000;

/**
 * Waits for work only as long as a caller is to wait; the work itself goes on, and what comes of it is dropped.
 * @throws {DeadlinePassedError} it takes longer.
 */
export async function beforeDeadline<T>(work: Promise<T>, deadlineMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new DeadlinePassedError()), deadlineMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
