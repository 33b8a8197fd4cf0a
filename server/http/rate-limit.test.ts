import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { hasRedis, startRedis } from "../testing/test-redis.ts";
import { type Counted, createRateLimit, type RateLimit, type RateLimitOptions } from "./rate-limit.ts";

const caller: Counted = { accountId: "acc_1", rpmLimit: 5 };

/** How many of `attempts` requests pass. */
async function passed(limits: RateLimit[], attempts: number, by: Counted = caller): Promise<number> {
  const standings = await Promise.all(
    Array.from({ length: attempts }, (_, index) => limits[index % limits.length]?.count(by)),
  );
  return standings.filter((standing) => !standing?.exceeded).length;
}

/** One that is closed when the test ends, and what it has logged. */
function openLimit(url: string, options: RateLimitOptions = {}): { limit: RateLimit; logged: string[] } {
  const logged: string[] = [];
  const note = (...said: unknown[]) => void logged.push(String(said.at(-1)));
  const limit = createRateLimit(url, { log: { info: note, warn: note, error: note }, ...options });
  onTestFinished(() => limit.close());
  return { limit, logged };
}

const isShared = (limit: RateLimit) => limit.sharing()?.isShared;

test("one process lets through what the account may and says how it stands", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = createRateLimit(null);
  const resetMs = 60_000;
  expect(await limit.count(caller)).toEqual({ limit: 5, remaining: 4, exceeded: false, resetMs });
  expect(await passed([limit], 20)).toBe(4);
  expect(await limit.count(caller)).toEqual({ limit: 5, remaining: 0, exceeded: true, resetMs });
  expect(await limit.count({ ...caller, accountId: "acc_2" })).toMatchObject({ exceeded: false });
  expect(limit.sharing()).toBe(null);
});

test("while Redis cannot be reached each process lets its share of the limit pass", async () => {
  const { limit, logged } = openLimit("redis://127.0.0.1:1", { processCount: () => 2 });
  expect(await passed([limit], 20)).toBe(3);
  await expect.poll(() => logged).toEqual([expect.stringMatching(/^Redis does not count/)]);
  expect(await limit.count({ ...caller, accountId: "acc_2" })).toMatchObject({ limit: 5, remaining: 2 });
  expect(limit.sharing()).toEqual({ isShared: false, countedAlone: 21 });
  expect(logged).toHaveLength(1);
});

if (hasRedis()) {
  test("processes that share Redis share the count", async () => {
    const { url } = await startRedis();
    const limits = [openLimit(url).limit, openLimit(url).limit];
    await expect.poll(() => limits.map(isShared)).toEqual([true, true]);
    expect(await passed(limits, 20)).toBe(5);
  });

  test("a Redis that falls silent holds nobody up, and counts again when it speaks", async () => {
    const { url, redis } = await startRedis();
    const { limit, logged } = openLimit(url);
    await expect.poll(() => isShared(limit)).toBe(true);
    redis.child.kill("SIGSTOP");
    // The first request finds it out.
    expect(await limit.count(caller)).toMatchObject({ exceeded: false });
    expect(isShared(limit)).toBe(false);
    let answered = 0;
    for (let index = 0; index < 100; index += 1) void limit.count(caller).then(() => (answered += 1));
    // Nothing that takes time is waited for.
    await setImmediate();
    expect(answered).toBe(100);
    expect(limit.sharing()?.countedAlone).toBe(101);
    redis.child.kill("SIGCONT");
    await expect.poll(() => isShared(limit)).toBe(true);
    expect(await limit.count({ ...caller, accountId: "acc_2" })).toMatchObject({ remaining: 4 });
    expect(limit.sharing()?.countedAlone).toBe(101);
    expect(logged).toEqual([
      expect.stringMatching(/^Redis does not count/),
      expect.stringMatching(/^Redis counts/),
    ]);
  });

  test("a Redis that was started anew counts again", async () => {
    const { url, redis, port } = await startRedis();
    const { limit } = openLimit(url);
    await expect.poll(() => isShared(limit)).toBe(true);
    await redis.kill("SIGKILL");
    await expect.poll(() => isShared(limit)).toBe(false);
    await startRedis(port);
    await expect.poll(() => isShared(limit)).toBe(true);
  });
} else {
  console.warn("redis-server is not installed: the count that processes share is not tested.");
}
