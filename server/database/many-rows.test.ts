import { expect, test } from "vitest";
import { assignmentsOf, caseOf, inPowerOfTwoChunks, valuesOf } from "./many-rows.ts";

test("rows become one list of values", () => {
  expect(
    valuesOf([
      [1, "a"],
      [2, "b"],
    ]),
  ).toEqual({ sql: "VALUES (?, ?), (?, ?)", values: [1, "a", 2, "b"] });
});

test("columns that are given are assigned, null included, and the others left", () => {
  expect(assignmentsOf({ a: 1n, b: undefined, c: null })).toEqual({
    sql: "a = ?, c = ?",
    values: [1n, null],
  });
  expect(assignmentsOf({ a: undefined })).toBeNull();
});

test("each row of an update has a value of its own", () => {
  expect(
    caseOf("id", [
      ["x", 1n],
      ["y", 2n],
    ]),
  ).toEqual({ sql: "CASE id WHEN ? THEN ? WHEN ? THEN ? END", values: ["x", 1n, "y", 2n] });
});

test.each([
  [0, []],
  [1, [1]],
  [13, [8, 4, 1]],
  [1_000, [256, 256, 256, 128, 64, 32, 8]],
])("%i items come in lists of few different sizes", (count, sizes) => {
  const items = Array.from({ length: count }, (_, index) => index);
  const lists = inPowerOfTwoChunks(items);
  expect(lists.map(({ length }) => length)).toEqual(sizes);
  expect(lists.flat()).toEqual(items);
});
