import { expect, test } from "vitest";
import { divideRanges } from "./segment.ts";

const run = (firstSequence: number, endSequence: number) => ({
  firstSequence: BigInt(firstSequence),
  endSequence: BigInt(endSequence),
});

test.each([
  ["one run to one", [run(3, 5)], [2], [[run(3, 5)]]],
  ["one run to several", [run(3, 9)], [2, 1, 3], [[run(3, 5)], [run(5, 6)], [run(6, 9)]]],
  ["several runs to one", [run(3, 5), run(8, 9)], [3], [[run(3, 5), run(8, 9)]]],
  [
    "across the end of a run",
    [run(3, 5), run(8, 11)],
    [1, 3, 1],
    [[run(3, 4)], [run(4, 5), run(8, 10)], [run(10, 11)]],
  ],
])("codes are dealt out: %s", (_what, ranges, quantities, shares) => {
  expect(divideRanges(ranges, quantities)).toEqual(shares);
});

test("more than there are cannot be dealt out", () => {
  expect(() => divideRanges([run(1, 3)], [1, 2])).toThrow("fewer codes");
});
