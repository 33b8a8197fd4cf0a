import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import type { Log } from "../log.ts";

/** A request waits for Redis at most so long, and only the first ones do when it falls silent. */
const ANSWER_MS = 250;
/** How often a Redis that fell silent is asked whether it is back. */
const LOOK_AGAIN_MS = 2_000;
/** A connection on which nothing comes for so long is given up, for the network may have lost it. */
const SILENCE_MS = 10_000;

/** What is counted. Nothing is refused for its count: the comparison is its user's. */
interface Counting {
  /** How long a count runs on from its beginning. */
  readonly windowSeconds: number;
  /** What sets its keys apart from those of other counts. */
  readonly keyPrefix: string;
  /** What the log is told when Redis does not count any more, and when it does again. */
  readonly away: string;
  readonly back: string;
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
  /** Takes back what was counted once. */
  giveBack(key: string): Promise<void>;
  /** Takes back all that was counted. */
  forget(key: string): Promise<void>;
  /** Whether Redis counts at the moment. */
  isShared(): boolean;
  close(): void;
}

/** @param log is told once when Redis goes, and once when it is back. */
export function createSharedCount(
  url: string,
  { windowSeconds, keyPrefix, away, back }: Counting,
  log: Log,
): SharedCount {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_MS,
    socketTimeout: SILENCE_MS,
  });
  const counting = { points: Number.MAX_SAFE_INTEGER, duration: windowSeconds, keyPrefix };
  const limiter = new RateLimiterRedis({ ...counting, storeClient: redis });
  let state: "connecting" | "shared" | "away" | "closed" = "connecting";
  let looking: NodeJS.Timeout | null = null;

  function goAway({ message }: Error): void {
    if (state === "away" || state === "closed") return;
    state = "away";
    // Its own errors tell the command with all that was sent, passwords included.
    log.warn({ reason: message }, away);
    looking = setInterval(() => {
      if (redis.status === "ready") redis.ping().then(comeBack, () => {});
    }, LOOK_AGAIN_MS).unref();
  }

  function comeBack(): void {
    if (state === "closed") return;
    if (looking !== null) clearInterval(looking);
    if (state === "away") log.warn(back);
    state = "shared";
  }

  // It connects again by itself.
  redis.on("error", goAway).on("close", () => goAway(new Error("The connection to Redis was closed.")));
  redis.on("ready", comeBack);

  async function ask<T>(command: () => Promise<T>): Promise<T | null> {
    if (state !== "shared") return null;
    try {
      return await command();
    } catch (error) {
      goAway(error as Error);
      return null;
    }
  }

  return {
    count: (key) => ask(() => limiter.consume(key)),
    async giveBack(key) {
      await ask(() => limiter.reward(key, 1));
    },
    async forget(key) {
      await ask(() => limiter.delete(key));
    },
    isShared: () => state === "shared",
    close() {
      state = "closed";
      if (looking !== null) clearInterval(looking);
      redis.disconnect();
    },
  };
}
