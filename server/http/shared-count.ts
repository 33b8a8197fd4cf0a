import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import type { Log } from "../log.ts";

/** A request waits for Redis at most so long, and only the first ones do when it falls silent. */
const ANSWER_MS = 250;
/** How often a Redis that fell silent is asked whether it is back. */
const LOOK_AGAIN_MS = 2_000;
/** A connection on which nothing comes for so long is given up, for the network may have lost it. */
const SILENCE_MS = 10_000;

/** What is counted, and how the library is told so. */
interface Counting {
  readonly points: number;
  readonly duration: number;
  readonly keyPrefix: string;
}

/** How often something was counted in the time that runs, and how long that runs on. */
export interface Count {
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
}

/** A count that several processes share through Redis. */
export interface SharedCount {
  /** Counts once more; null when Redis does not count it. Waits for nothing while Redis is known to be away. */
  count(key: string): Promise<Count | null>;
  /** Whether Redis counts at the moment. */
  isShared(): boolean;
  close(): void;
}

/** @param log is told once when Redis goes, and once when it is back. */
export function createSharedCount(url: string, counting: Counting, log: Log): SharedCount {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_MS,
    socketTimeout: SILENCE_MS,
  });
  const limiter = new RateLimiterRedis({ ...counting, storeClient: redis });
  let state: "connecting" | "shared" | "away" | "closed" = "connecting";
  let looking: NodeJS.Timeout | null = null;

  function goAway({ message }: Error): void {
    if (state === "away" || state === "closed") return;
    state = "away";
    // Its own errors tell the command with all that was sent, passwords included.
    log.warn(
      { reason: message },
      "Redis does not count requests any more; each process lets its share of the limit pass",
    );
    looking = setInterval(() => {
      if (redis.status === "ready") redis.ping().then(comeBack, () => {});
    }, LOOK_AGAIN_MS).unref();
  }

  function comeBack(): void {
    if (state === "closed") return;
    if (looking !== null) clearInterval(looking);
    if (state === "away") log.warn("Redis counts requests again");
    state = "shared";
  }

  // It connects again by itself.
  redis.on("error", goAway).on("close", () => goAway(new Error("The connection to Redis was closed.")));
  redis.on("ready", comeBack);

  return {
    async count(key) {
      if (state !== "shared") return null;
      try {
        return await limiter.consume(key);
      } catch (error) {
        goAway(error as Error);
        return null;
      }
    },
    isShared: () => state === "shared",
    close() {
      state = "closed";
      if (looking !== null) clearInterval(looking);
      redis.disconnect();
    },
  };
}
