import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { findStablePort } from "./free-port.ts";
import { type RunningProgram, startProgram } from "./program.ts";

/** Whether there is one on this machine. */
export function hasRedis(): boolean {
  return spawnSync("redis-server", ["--version"]).status === 0;
}

/** A Redis that ends with the test. */
export async function startRedis(
  given?: number,
): Promise<{ url: string; port: number; redis: RunningProgram }> {
  const folder = await mkdtemp(join(tmpdir(), "redis-"));
  const port = given ?? (await findStablePort());
  const redis = startProgram("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], {
    cwd: folder,
  });
  onTestFinished(async () => {
    await redis.kill("SIGKILL");
    await rm(folder, { recursive: true });
  });
  await redis.printed(/[Rr]eady to accept/);
  return { url: `redis://127.0.0.1:${port}`, port, redis };
}
