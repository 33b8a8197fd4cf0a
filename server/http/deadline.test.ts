import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { beforeDeadline, type Waiting } from "./deadline.ts";
import { DeadlinePassedError } from "./errors.ts";

const DEADLINE_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("what is waited for is given or thrown, and nobody waits for it any more", async () => {
  const waiting: Waiting = new Set();
  const fault = new Error("it failed");
  await expect(beforeDeadline(Promise.resolve(1), DEADLINE_MS, waiting)).resolves.toBe(1);
  await expect(beforeDeadline(Promise.reject(fault), DEADLINE_MS, waiting)).rejects.toBe(fault);
  expect(waiting).toEqual(new Set());
  expect(vi.getTimerCount()).toBe(0);
});

test("work that takes longer is not waited for, and what comes of it is dropped", async () => {
  const waiting: Waiting = new Set();
  for (const end of ["resolve", "reject"] as const) {
    const work = Promise.withResolvers<number>();
    const waited = beforeDeadline(work.promise, DEADLINE_MS, waiting);
    const refused = expect(waited).rejects.toBeInstanceOf(DeadlinePassedError);
    vi.advanceTimersByTime(DEADLINE_MS);
    await refused;
    expect(waiting).toEqual(new Set());
    if (end === "resolve") work.resolve(1);
    else work.reject(new Error("too late"));
  }
});

test("those who wait can all be answered at once, also for work that bounds itself", async () => {
  const waiting: Waiting = new Set();
  const never = new Promise<never>(() => {});
  const answer = new Error("the service stops");
  const waited = [beforeDeadline(never, DEADLINE_MS, waiting), beforeDeadline(never, null, waiting)];
  const refused = waited.map((one) => expect(one).rejects.toBe(answer));
  expect(waiting.size).toBe(2);
  for (const end of waiting) end(answer);
  await Promise.all(refused);
  expect(waiting).toEqual(new Set());
  expect(vi.getTimerCount()).toBe(0);
});
