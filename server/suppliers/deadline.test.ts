import { getEventListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { repeating, withDeadline } from "./deadline.ts";

/** Makes a call that asks to be made again after a pause, and counts how often it was. */
async function callsWithin(timeoutMs: number, retryAfterMs: number | null): Promise<number> {
  let calls = 0;
  const call = async () => {
    calls += 1;
  };
  await withDeadline(timeoutMs, (deadline) => repeating(call, () => retryAfterMs, deadline));
  return calls;
}

test("a call is made once, or up to five times while it asks for it", async () => {
  expect(await callsWithin(10_000, null)).toBe(1);
  expect(await callsWithin(10_000, 0)).toBe(5);
});

test("a call is not made again when the pause would leave less than a tenth of the time for it", async () => {
  expect(await callsWithin(1_000, 901)).toBe(1);
  expect(await callsWithin(1_000, 700)).toBe(2);
});

test("work is told when its time is up, and not after it is done", async () => {
  const late = withDeadline(50, async ({ signal }) => {
    await delay(5_000, undefined, { signal });
  });
  await expect(late).rejects.toMatchObject({ name: "AbortError" });
  const signal = await withDeadline(50, async (deadline) => deadline.signal);
  await delay(100);
  expect(signal.aborted).toBe(false);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
