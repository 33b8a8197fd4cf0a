import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findStablePort } from "../testing/free-port.ts";
import { startProgram } from "../testing/program.ts";
import { type Counted, createRateLimit, type RateLimit } from "./rate-limit.ts";

const caller: Counted = { accountId: "acc_1", rpmLimit: 5 };

/** How many of `attempts` requests pass. */
async function passed(limits: RateLimit[], attempts: number, by: Counted = caller): Promise<number> {
  const standings = await Promise.all(
    Array.from({ length: attempts }, (_, index) => limits[index % limits.length]?.count(by)),
  );
  return standings.filter((standing) => !standing?.exceeded).length;
}

test("one process lets through what the account may and says how it stands", async () => {
  const limit = createRateLimit(null);
  const resetMs = expect.toSatisfy((ms: number) => ms > 59_000 && ms <= 60_000);
  expect(await limit.count(caller)).toEqual({ limit: 5, remaining: 4, exceeded: false, resetMs });
  expect(await passed([limit], 20)).toBe(4);
  expect(await limit.count(caller)).toEqual({ limit: 5, remaining: 0, exceeded: true, resetMs });
  expect(await limit.count({ ...caller, accountId: "acc_2" })).toMatchObject({ exceeded: false });
});

test("while Redis cannot be reached each process counts for itself", async () => {
  const limit = createRateLimit("redis://127.0.0.1:1");
  expect(await passed([limit], 20)).toBe(5);
  limit.close();
});

if (spawnSync("redis-server", ["--version"]).status === 0) {
  test("processes that share Redis share the count", countInRedis);
} else {
  console.warn("redis-server is not installed: the count that processes share is not tested.");
}

async function countInRedis(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "redis-"));
  const port = await findStablePort();
  const redisArguments = ["--port", String(port), "--bind", "127.0.0.1", "--save", ""];
  const server = startProgram("redis-server", redisArguments, { cwd: folder });
  try {
    await server.printed(/[Rr]eady to accept/);
    const limits = [
      createRateLimit(`redis://127.0.0.1:${port}`),
      createRateLimit(`redis://127.0.0.1:${port}`),
    ];
    let account = 0;
    // Until both are connected each counts for itself.
    await expect
      .poll(() => {
        account += 1;
        return passed(limits, 20, { ...caller, accountId: `acc_shared_${account}` });
      })
      .toBe(5);
    for (const limit of limits) limit.close();
  } finally {
    await server.kill("SIGTERM");
    await rm(folder, { recursive: true });
  }
}
