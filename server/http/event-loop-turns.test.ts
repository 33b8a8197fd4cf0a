import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createUnhurried, inTurn } from "./event-loop-turns.ts";

// What others have done in this turn counts.
beforeEach(() => nextTurn());

/** Longer than all long work together may take of a turn. */
const LONG_MS = 1;

function takeLong(): void {
  const endMs = performance.now() + LONG_MS;
  while (performance.now() < endMs);
}

test("of the work that waits, what is nearest to its end goes first, and one part in each turn when it is long", async () => {
  const done: string[] = [];
  const part = (name: string, rest: number) =>
    inTurn(rest, () => {
      takeLong();
      done.push(name);
    });
  const parts = [
    part("first, at once", 1_000),
    part("large", 900),
    part("larger", 901),
    part("as large", 900),
    part("small", 1),
  ];
  expect(done).toEqual(["first, at once"]);
  const perTurn: number[] = [];
  while (done.length < parts.length) {
    const before = done.length;
    await nextTurn();
    perTurn.push(done.length - before);
  }
  expect(done).toEqual(["first, at once", "small", "large", "as large", "larger"]);
  expect(Math.max(...perTurn)).toBe(1);
  await Promise.all(parts);
});

test("what fails in its turn fails for who waits for it, and the next has its turn all the same", async () => {
  const failing = inTurn(2, () => {
    takeLong();
    throw new Error("no");
  });
  const next = inTurn(1, () => "done");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("done");
});

test("what nobody waits for is done one at a time, and goes on while there is other work", async () => {
  const unhurriedly = createUnhurried();
  let done = 0;
  for (let count = 0; count < 5; count += 1)
    unhurriedly(() => {
      done += 1;
    });
  const parts = Array.from({ length: 3 }, () => inTurn(1, takeLong));
  const perTurn: number[] = [];
  while (done < 5) {
    const before = done;
    await nextTurn();
    perTurn.push(done - before);
  }
  expect(Math.max(...perTurn)).toBe(1);
  await Promise.all(parts);
});

test("what nobody waits for is done less often the more of it there is, each by turns", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const unhurriedly = createUnhurried();
  const done = Array.from({ length: 100 }, () => 0);
  const doneIn = (ms: number) => {
    const before = done.reduce((sum, count) => sum + count);
    vi.advanceTimersByTime(ms);
    return done.reduce((sum, count) => sum + count) - before;
  };
  let isOver = false;
  const goOn = (index: number) => {
    unhurriedly(() => {
      done[index] = (done[index] ?? 0) + 1;
      if (!isOver) goOn(index);
    });
  };
  goOn(0);
  const ofOne = doneIn(10_000);
  for (let index = 1; index < done.length; index += 1) goOn(index);
  const ofHundred = doneIn(10_000);
  expect(ofHundred).toBeLessThan(ofOne / 10);
  expect(Math.max(...done.slice(1)) - Math.min(...done.slice(1))).toBeLessThanOrEqual(1);
  isOver = true;
  vi.runAllTimers();
});
