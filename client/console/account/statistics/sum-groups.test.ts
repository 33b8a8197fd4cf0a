import { expect, test } from "vitest";
import { barsOf, sumGroups } from "./sum-groups.ts";

const BUCKETS = [
  {
    groups: [
      { group: "a", amount: "0.10" },
      { group: "b", amount: "2.00" },
    ],
  },
  { groups: [] },
  {
    groups: [
      { group: "a", amount: "0.00000001" },
      { group: "c", amount: "9.00" },
    ],
  },
];

test("those come first that come to most, exactly", () => {
  const sums = sumGroups(BUCKETS).map(({ id, amount }) => [id, amount]);
  expect(sums).toEqual([
    ["c", "9.00"],
    ["b", "2.00"],
    ["a", "0.10000001"],
  ]);
});

test("there are no more bars than colours: the last is that of all others", () => {
  const named = (id: string) => `model ${id}`;
  expect(barsOf(BUCKETS, sumGroups(BUCKETS), named, 2)).toEqual([
    { name: "model c", amounts: ["0.00", "0.00", "9.00"] },
    { name: "Others", amounts: ["2.10", "0.00", "0.00000001"] },
  ]);
  expect(barsOf(BUCKETS, sumGroups(BUCKETS), named, 3)).toHaveLength(3);
});
