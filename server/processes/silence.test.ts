import { expect, test } from "vitest";
import { createSilence } from "./silence.ts";

const LOOK_EVERY_MS = 1_500;

/** Looks every second and a half, from 0 on. @param signAt the sign of process `other` at that time; null for none */
function watch(
  untilMs: number,
  signAt: (nowMs: number) => number | null,
  isAway: (nowMs: number) => boolean = () => false,
) {
  const silence = createSilence();
  const silentAt: number[] = [];
  for (let nowMs = 0; nowMs <= untilMs; nowMs += LOOK_EVERY_MS) {
    const sign = signAt(nowMs);
    const own = { processId: "own", untilMs: BigInt(nowMs) };
    const others = sign === null ? [] : [{ processId: "other", untilMs: BigInt(sign) }];
    if (!isAway(nowMs)) silence.look([own, ...others], nowMs);
    const silent = silence.silent(nowMs);
    expect(silent).not.toContain("own");
    if (silent.includes("other")) silentAt.push(nowMs);
  }
  return silentAt;
}

test("a process is silent when its sign of life has stayed the same for six seconds, until it changes", () => {
  expect(watch(30_000, (nowMs) => nowMs)).toEqual([]);
  expect(watch(9_000, (nowMs) => Math.min(nowMs, 1_500))).toEqual([7_500, 9_000]);
  const woken = (nowMs: number) => (nowMs >= 10_500 ? nowMs : 1);
  expect(watch(30_000, woken)).toEqual([6_000, 7_500, 9_000]);
});

test("one that was silent when it was first seen is given the same time", () => {
  expect(watch(12_000, (nowMs) => (nowMs < 3_000 ? null : 1))).toEqual([9_000, 10_500, 12_000]);
  expect(watch(12_000, () => null)).toEqual([]);
});

test("who could not look for more than three seconds takes nobody for silent until it has looked for six again", () => {
  const isAway = (nowMs: number) => nowMs > 3_000 && nowMs < 9_000;
  expect(watch(13_500, () => 1, isAway)).toEqual([]);
  expect(watch(15_000, () => 1, isAway)).toEqual([15_000]);
  // Three seconds at most are no gap.
  expect(
    watch(
      6_000,
      () => 1,
      (nowMs) => nowMs === 4_500,
    ),
  ).toEqual([6_000]);
});

test("what was known of others is not believed while nobody looks", () => {
  const silence = createSilence();
  for (const nowMs of [0, 3_000, 6_000]) silence.look([{ processId: "other", untilMs: 1n }], nowMs);
  expect(silence.silent(6_000)).toEqual(["other"]);
  expect(silence.silent(9_000)).toEqual(["other"]);
  expect(silence.silent(9_001)).toEqual([]);
});
