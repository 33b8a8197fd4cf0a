import { RateLimiterMemory } from "rate-limiter-flexible";
import { TooManyAttemptsError } from "./errors.ts";

/** So many wrong attempts are free; the next ones wait until the time is over that began with the first. */
const MAX_ATTEMPTS = 10;
/** So often a network may begin an attempt that it has to be given something for, in the same time. */
export const MAX_BEGINNINGS = 100;
export const ATTEMPTS_WINDOW_SECONDS = 15 * 60;

/** Where attempts are counted. */
export interface AttemptCount {
  /** Counts one more; null when it is not counted there at the moment. */
  count(subject: string): Promise<{ consumedPoints: number; msBeforeNext: number } | null>;
  /** Takes back what was counted once. */
  giveBack(subject: string): Promise<void>;
  /** Takes back all that was counted. */
  forget(subject: string): Promise<void>;
}

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Counts wrong attempts to sign in, or to confirm who one is, by where they come from and whom they are about.
 * @param shared a count of all processes; where there is none, or it does not count at the moment, this process counts its own.
 */
export function createAttempts(shared: AttemptCount | null = null) {
  const own = countInMemory();

  /** @returns where it was counted. */
  async function count(subject: string, max = MAX_ATTEMPTS): Promise<AttemptCount> {
    const together = (await shared?.count(subject)) ?? null;
    const counted = together ?? (await own.count(subject));
    if (counted.consumedPoints > max) throw new TooManyAttemptsError(counted.msBeforeNext);
    return together === null || shared === null ? own : shared;
  }

  return {
    /** Counts that something is given for an attempt that may come, which costs the service a row. @throws {TooManyAttemptsError} */
    async begin(address: string): Promise<void> {
      await count(`begun:${networkOf(address)}`, MAX_BEGINNINGS);
    },

    /**
     * Makes an attempt, which counts as wrong until it is known to be right: of many at once no more than ten are made.
     * @param address where it comes from. @param about whom it is about, known or not.
     * @param attempt gives null when it was wrong; when it throws, nobody knows.
     * @throws {TooManyAttemptsError}
     */
    async make<T>(address: string, about: string, attempt: () => Promise<T | null>): Promise<T | null> {
      const [ofAddress, ofPerson] = [`address:${networkOf(address)}`, `person:${about}`];
      const addressCount = await count(ofAddress);
      const personCount = await count(ofPerson);
      const made = await attempt().catch(async (error: unknown) => {
        await addressCount.giveBack(ofAddress);
        await personCount.giveBack(ofPerson);
        throw error;
      });
      if (made === null) return null;
      await addressCount.giveBack(ofAddress);
      await personCount.forget(ofPerson);
      return made;
    },
  };
}

function countInMemory() {
  const limiter = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: ATTEMPTS_WINDOW_SECONDS,
  });
  return {
    count: (subject: string) => limiter.consume(subject),
    async giveBack(subject: string): Promise<void> {
      await limiter.reward(subject, 1);
    },
    async forget(subject: string): Promise<void> {
      await limiter.delete(subject);
    },
  };
}

/** Who has one address of IPv6 has at least its network of 64 bits. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const mapped = after.at(-1);
  if (mapped?.includes(".")) return mapped;
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - after.length }, () => "0");
  return [...groups, ...zeros, ...after].slice(0, 4).join(":");
}
