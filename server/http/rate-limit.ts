import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";

const WINDOW_SECONDS = 60;
const REDIS_TIMEOUT_MS = 250;

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
  close(): void;
}

/**
 * @param redisUrl where several processes share their counts; null counts in this process alone. While Redis cannot be
 *   reached each process counts for itself, so that buyers are served rather than refused.
 */
export function createRateLimit(redisUrl: string | null): RateLimit {
  // Every account has its own limit, so the limiter only counts and the comparison is made here.
  const counting = { points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS, keyPrefix: "requests" };
  const memory = new RateLimiterMemory(counting);
  const redis = redisUrl === null ? null : connectTo(redisUrl);
  const limiter =
    redis === null
      ? memory
      : new RateLimiterRedis({ ...counting, storeClient: redis, insuranceLimiter: memory });

  return {
    async count({ accountId, rpmLimit }) {
      const { consumedPoints, msBeforeNext } = await limiter.consume(accountId);
      return {
        limit: rpmLimit,
        remaining: Math.max(0, rpmLimit - consumedPoints),
        exceeded: consumedPoints > rpmLimit,
        resetMs: msBeforeNext,
      };
    },
    close: () => redis?.disconnect(),
  };
}

function connectTo(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: REDIS_TIMEOUT_MS,
  });
  // It reconnects by itself; until then the limiter falls back to memory.
  redis.on("error", () => {});
  return redis;
}
