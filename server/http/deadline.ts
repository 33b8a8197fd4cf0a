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
export function beforeDeadline<T>(
  work: Promise<T>,
  deadlineMs: number | null,
  waiting?: Waiting,
): Promise<T> {
  // By hand, since every request waits here, and a race of promises costs several of them.
  return new Promise((resolve, reject) => {
    const stopWaiting = () => {
      clearTimeout(timer);
      waiting?.delete(end);
    };
    const end = (reason: unknown) => {
      stopWaiting();
      reject(reason);
    };
    const timer =
      deadlineMs === null ? undefined : setTimeout(() => end(new DeadlinePassedError()), deadlineMs);
    waiting?.add(end);
    work.then((result) => {
      stopWaiting();
      resolve(result);
    }, end);
  });
}
