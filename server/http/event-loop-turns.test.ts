import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { inTurn, unhurriedly } from "./event-loop-turns.ts";

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

test("what nobody waits for is done one in each turn, and goes on while there is other work", async () => {
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
