import { expect, test } from "vitest";
import { usd } from "../testing/test-shop.ts";
import { levelOf, levelProgressOf } from "./level.ts";

test.each([
  ["0", 1],
  ["99.9999", 1],
  ["100", 2],
  ["499.9999", 2],
  ["500", 3],
  ["1999.9999", 3],
  ["2000", 4],
  ["9999.9999", 4],
  ["10000", 5],
  ["90000000", 5],
])("a score of %s USD is level %i", (score, level) => {
  expect(levelOf(usd(score))).toBe(level);
});

test("the standing says what the next level asks for, and null at the top", () => {
  expect(levelProgressOf(usd("120.50"))).toEqual({
    level: 2,
    scoreMicrocents: usd("120.50"),
    next: { level: 3, thresholdMicrocents: usd("500"), remainingMicrocents: usd("379.50") },
  });
  expect(levelProgressOf(usd("10000")).next).toBeNull();
});
