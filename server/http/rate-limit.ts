import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Log } from "../log.ts";
import { createSharedCount } from "./shared-count.ts";

const WINDOW_SECONDS = 60;
const COUNTING = {
  windowSeconds: WINDOW_SECONDS,
  keyPrefix: "requests",
  away: "Redis does not count requests any more; each process lets its share of the limit pass",
  back: "Redis counts requests again",
};
const SILENT: Log = { info() {}, warn() {}, error() {} };

/** How an account stands after a request was counted. */
export interface RateLimitStatus {
  /** The requests that it may make in a minute. */
  readonly limit: number;
  /** Those that it has left in this minute. */
  readonly remaining: number;
  /** Whether the request was one too many. */
  readonly exceeded: boolean;
  /** When the count starts anew, from now. */
  readonly resetMs: number;
}

/** Whose request is counted, and how many they may make in a minute. */
export interface Counted {
  readonly accountId: string;
  readonly rpmLimit: number;
}

/** Counts the requests of each account over a minute, over all of its keys and all interfaces that count them. */
export interface RateLimit {
  /** Counts one request, also one too many. */
  count(caller: Counted): Promise<RateLimitStatus>;
  /** How the processes share their counts; null when they do not. */
  sharing(): Sharing | null;
  close(): void;
}

/** How processes that share their counts fare with it. */
export interface Sharing {
  /** Whether they are counted together at the moment. */
  readonly isShared: boolean;
  /** How many requests this process has counted for itself instead. */
  readonly countedAlone: number;
}

/** What counting needs, beside a place for it. */
export interface RateLimitOptions {
  readonly log?: Log;
  /** How many processes serve buyers at the moment. */
  readonly processCount?: () => number;
}

/**
 * @param redisUrl where several processes share their counts; null counts in this process alone. While Redis does not count,
 *   each process counts for itself and lets its share of an account's limit pass, so that all of them keep about to it.
 */
export function createRateLimit(
  redisUrl: string | null,
  { log = SILENT, processCount = () => 1 }: RateLimitOptions = {},
): RateLimit {
  // Every account has its own limit, so the limiter only counts and the comparison is made here.
  const memory = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });
  const shared = redisUrl === null ? null : createSharedCount(redisUrl, COUNTING, log);
  let countedAlone = 0;

  return {
    async count({ accountId, rpmLimit }) {
      const together = (await shared?.count(accountId)) ?? null;
      if (together === null) countedAlone += 1;
      const { consumedPoints, msBeforeNext } = together ?? (await memory.consume(accountId));
      const isShare = together === null && shared !== null;
      const passing = isShare ? Math.ceil(rpmLimit / processCount()) : rpmLimit;
      return {
        limit: rpmLimit,
        remaining: Math.max(0, passing - consumedPoints),
        exceeded: consumedPoints > passing,
        resetMs: msBeforeNext,
      };
    },
    sharing: () => (shared === null ? null : { isShared: shared.isShared(), countedAlone }),
    close: () => shared?.close(),
  };
}
