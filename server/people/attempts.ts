import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { TooManyAttemptsError } from "./errors.ts";

/** So many wrong attempts are free; the next ones wait until the time is over that began with the first. */
const MAX_ATTEMPTS = 10;
const WINDOW_SECONDS = 15 * 60;

export type Attempts = ReturnType<typeof createAttempts>;

/**
 * Counts wrong attempts to sign in, or to confirm who one is, by where they come from and whom they are about; in this process.
 */
export function createAttempts() {
  const limiter = new RateLimiterMemory({
    points: MAX_ATTEMPTS,
    duration: WINDOW_SECONDS,
    keyPrefix: "attempts",
  });

  async function count(subject: string): Promise<void> {
    try {
      await limiter.consume(subject);
    } catch (refusal) {
      throw refusal instanceof RateLimiterRes ? new TooManyAttemptsError(refusal.msBeforeNext) : refusal;
    }
  }

  return {
    /**
     * Makes an attempt, which counts as wrong until it is known to be right: of many at once no more than ten are made.
     * @param address where it comes from. @param about whom it is about, known or not.
     * @param attempt gives null when it was wrong; when it throws, nobody knows.
     * @throws {TooManyAttemptsError}
     */
    async make<T>(address: string, about: string, attempt: () => Promise<T | null>): Promise<T | null> {
      const [ofAddress, ofPerson] = [`address:${networkOf(address)}`, `person:${about}`];
      await count(ofAddress);
      await count(ofPerson);
      const made = await attempt().catch(async (error: unknown) => {
        for (const subject of [ofAddress, ofPerson]) await limiter.reward(subject, 1);
        throw error;
      });
      if (made === null) return null;
      await limiter.reward(ofAddress, 1);
      await limiter.delete(ofPerson);
      return made;
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
