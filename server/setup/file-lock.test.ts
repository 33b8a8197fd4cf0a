import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { withFileLock } from "./file-lock.mjs";

const folder = mkdtempSync(join(tmpdir(), "shop-lock-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("processes that hold a lock one after another lose no step of a count", async () => {
  const count = join(folder, "count");
  writeFileSync(count, "0");
  const program = `
    import { readFileSync, writeFileSync } from "node:fs";
    import { withFileLock } from ${JSON.stringify(join(import.meta.dirname, "file-lock.mjs"))};
    for (let step = 0; step < 20; step += 1) await withFileLock(${JSON.stringify(join(folder, "lock"))}, async () => {
      const before = Number(readFileSync(${JSON.stringify(count)}, "utf8"));
      await new Promise((resolve) => setTimeout(resolve, 1));
      writeFileSync(${JSON.stringify(count)}, String(before + 1));
    });`;
  const counting = () => promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  await Promise.all([counting(), counting(), counting()]);
  expect(readFileSync(count, "utf8")).toBe("60");
});

test("a lock whose owner died is taken over", async () => {
  const ended = spawnSync(process.execPath, ["-e", ""]).pid;
  const lock = join(folder, "left");
  symlinkSync(`${ended}:1`, lock);
  expect(await withFileLock(lock, () => "done")).toBe("done");
});

test("a lock whose owner's number was given to another process is taken over", async () => {
  const lock = join(folder, "reused");
  symlinkSync(`${process.pid}:1`, lock);
  expect(await withFileLock(lock, () => "done")).toBe("done");
});

test("a lock is free again after work that failed", async () => {
  const lock = join(folder, "failed");
  const failing = withFileLock(lock, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(await withFileLock(lock, () => "done")).toBe("done");
});
