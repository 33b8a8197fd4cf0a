import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import { CommitOutcomeUnknownError } from "../database/faults.ts";
import { ServiceUnavailableError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Purchase } from "./purchase.ts";

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;

/** What waiting for the database needs. */
export interface UntilLeaseEndsDependencies {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Does what the holder of a purchase's claim needs of the database, and goes on trying while the database is away or busy:
 * until the lease runs out nobody else does anything for the order.
 * @param work may have taken effect in an attempt that failed; it names the claim, or asks what the order is now.
 * @throws what the last attempt threw.
 */
export async function untilLeaseEnds<T>(
  { clock, log }: UntilLeaseEndsDependencies,
  { orderId, dueAtMs }: Pick<Purchase, "orderId" | "dueAtMs">,
  work: () => Promise<T>,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const isLastOne = dueAtMs === null || clock() + pauseMs >= dueAtMs;
      if (isLastOne || !mayPass(error)) throw error;
      if (pauseMs === FIRST_PAUSE_MS)
        log.warn(
          { orderId, err: error },
          "the database does not take an order's next step; it is tried until its lease ends",
        );
      await delay(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}

function mayPass(error: unknown): boolean {
  return error instanceof ServiceUnavailableError || error instanceof CommitOutcomeUnknownError;
}
