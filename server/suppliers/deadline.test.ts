import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Deadline, withDeadline, withRetries } from "./deadline.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Makes a call that asks to be made again, and counts how often it was, and the pauses for which there was time. */
async function callsWith(allows: (pauseMs: number) => boolean, retryAfterMs: number | null): Promise<number> {
  let calls = 0;
  const call = async () => {
    calls += 1;
  };
  const deadline: Deadline = { signal: new AbortController().signal, allows };
  await withRetries(call, () => retryAfterMs, deadline);
  return calls;
}

test("a call is made once, or up to five times while it asks for it", async () => {
  expect(await callsWith(() => true, null)).toBe(1);
  expect(await callsWith(() => true, 0)).toBe(5);
});

test("a call is not made again when there is no time for the pause that it asks for", async () => {
  const asked: number[] = [];
  const oneMore = (pauseMs: number) => asked.push(pauseMs) === 1;
  expect(await callsWith(() => false, 10)).toBe(1);
  expect(await callsWith(oneMore, 10)).toBe(2);
  for (const pauseMs of asked) expect(pauseMs).toBeGreaterThanOrEqual(10);
});

test("there is no time for a pause that would leave less than a tenth of it", async () => {
  await withDeadline(1_000, async ({ allows }) => {
    expect([allows(900), allows(901)]).toEqual([true, false]);
    vi.advanceTimersByTime(700);
    expect([allows(200), allows(201)]).toEqual([true, false]);
  });
});

test("work is told when its time is up, and not after it is done", async () => {
  const late = withDeadline(50, async ({ signal }) => {
    vi.advanceTimersByTime(49);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    return signal.aborted;
  });
  expect(await late).toBe(true);
  const signal = await withDeadline(50, async (deadline) => deadline.signal);
  vi.advanceTimersByTime(100);
  expect(signal.aborted).toBe(false);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
