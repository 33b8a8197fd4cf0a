import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { createDatabaseClock } from "./database-clock.ts";

let services: TestServices;
beforeEach(async () => {
  services = await openTestServices();
});
afterEach(() => services.dispose());

/** As far as a machine may be from its database before it is corrected, and a busy one from itself. */
const IN_STEP_MS = 30_000;

test.each([
  ["behind", -3_600_000],
  ["ahead of", 3_600_000],
])("a machine an hour %s the database goes by the database's time, and says so", async (words, offsetMs) => {
  const warnings: unknown[] = [];
  const log = { warn: (_: unknown, message?: string) => void warnings.push(message) };
  const clock = createDatabaseClock(log, () => Date.now() + offsetMs);
  expect(Math.abs(clock.now() - offsetMs - Date.now())).toBeLessThan(IN_STEP_MS);
  await clock.compare(services.database);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(IN_STEP_MS);
  expect(warnings).toEqual([expect.stringMatching(new RegExp(`3[56]\\d\\d s ${words} the database's`))]);
  await clock.compare(services.database);
  expect(warnings).toHaveLength(1);
});

test("a machine that is in step keeps its own time", async () => {
  const warnings: unknown[] = [];
  const clock = createDatabaseClock(
    { warn: (...words: unknown[]) => void warnings.push(words) },
    () => nowMs,
  );
  const nowMs = Date.now();
  await clock.compare({
    rows: async () => [{ now_ms: BigInt(nowMs + 200) }] as never,
    change: async () => 0,
  });
  expect([clock.now(), warnings]).toEqual([nowMs, []]);
});

test("a machine whose time is set right again is followed", async () => {
  const log = { warn() {} };
  let wrongByMs = 60_000;
  const nowMs = Date.now();
  const clock = createDatabaseClock(log, () => nowMs + wrongByMs);
  const session = { rows: async () => [{ now_ms: BigInt(nowMs) }] as never, change: async () => 0 };
  await clock.compare(session);
  expect(clock.now()).toBe(nowMs);
  wrongByMs = 0;
  await clock.compare(session);
  expect(clock.now()).toBe(nowMs);
});
