import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Caller } from "../keys/api-key.ts";
import { RateLimitedError } from "./errors.ts";

const WINDOW_SECONDS = 60;

/** Counts a request of an account. @throws {RateLimitedError} the account has none left in this minute. */
export type CountRequest = (caller: Caller) => Promise<void>;

/** Counts requests per account over a minute, over all keys and interfaces of this process. */
export function createRateLimit(): CountRequest {
  // Every account has its own limit, so the limiter counts and the comparison is made here.
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });

  return async ({ accountId, rpmLimit }) => {
    const counted = await limiter.consume(accountId);
    if (counted instanceof RateLimiterRes && counted.consumedPoints > rpmLimit) {
      throw new RateLimitedError(rpmLimit, Math.max(1, Math.ceil(counted.msBeforeNext / 1000)));
    }
  };
}
