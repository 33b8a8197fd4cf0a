import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { holdTime } from "../testing/held-time.ts";
import { createAnswerCache } from "./answer-cache.ts";
import { SupplierUnavailableError } from "./errors.ts";

const SETTINGS = { max: 10, ttlMs: 200, errorTtlMs: 50 };

const { pass } = holdTime();

/** Counts how often it is asked; each answer comes a little later. */
function counter(failWith?: Error) {
  let asked = 0;
  return async () => {
    const count = ++asked;
    await nextTurn();
    if (failWith !== undefined) throw failWith;
    return count;
  };
}

test("those who ask at once share one answer, and later ones get it until it is old", async () => {
  const answers = createAnswerCache<number>(SETTINGS);
  const ask = counter();
  expect(await Promise.all([answers.get("a", ask), answers.get("a", ask)])).toEqual([1, 1]);
  expect(await answers.get("a", ask)).toBe(1);
  expect(await answers.get("b", ask)).toBe(2);
  pass(199);
  expect(await answers.get("a", ask)).toBe(1);
  pass(2);
  expect(await answers.get("a", ask)).toBe(3);
});

test("a fresh answer is asked for whatever is kept, shared by those who wait, and kept", async () => {
  const answers = createAnswerCache<number>(SETTINGS);
  const ask = counter();
  await answers.get("a", ask);
  const fresh = () => answers.get("a", ask, { fresh: true });
  expect(await Promise.all([fresh(), fresh(), answers.get("a", ask)])).toEqual([2, 2, 2]);
  expect(await answers.get("a", ask)).toBe(2);
  expect(await fresh()).toBe(3);
});

test("a fault that was foreseen is kept for a shorter time, any other not at all", async () => {
  const answers = createAnswerCache<number>(SETTINGS);
  const ask = counter();
  await expect(answers.get("a", counter(new SupplierUnavailableError()))).rejects.toThrow();
  await expect(answers.get("a", ask)).rejects.toThrow(SupplierUnavailableError);
  pass(51);
  expect(await answers.get("a", ask)).toBe(1);

  await expect(answers.get("b", counter(new Error("database")))).rejects.toThrow("database");
  expect(await answers.get("b", ask)).toBe(2);
});

test("what is forgotten while it is asked for is not kept", async () => {
  const answers = createAnswerCache<number>(SETTINGS);
  const ask = counter();
  const asking = answers.get("a", ask);
  answers.forget("a");
  expect(await answers.get("a", ask)).toBe(2);
  expect(await asking).toBe(1);
  expect(await answers.get("a", ask)).toBe(2);
});
