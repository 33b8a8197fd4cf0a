import { expect, test } from "vitest";
import { stacksOf } from "./stacks.ts";

test("amounts of a bucket stand upon each other, and refunds hang below", () => {
  const stacks = stacksOf([
    { name: "Orders", amounts: ["20.00", "5.00"] },
    { name: "Calls", amounts: ["0.00000127", "0.00"] },
    { name: "Refunds", amounts: ["0.00", "-20.00"] },
  ]);
  expect(stacks).toEqual({
    pieces: [
      { series: 0, bucket: 0, from: 0, to: 20 },
      { series: 1, bucket: 0, from: 20, to: 20.00000127 },
      { series: 0, bucket: 1, from: 0, to: 5 },
      { series: 2, bucket: 1, from: -20, to: 0 },
    ],
    top: 20.00000127,
    bottom: -20,
    highest: "20.00000127",
  });
});

test("nothing has no bars", () => {
  const none = { pieces: [], top: 0, bottom: 0, highest: "0.00" };
  expect(stacksOf([])).toEqual(none);
  expect(stacksOf([{ name: "Calls", amounts: ["0.00"] }])).toEqual(none);
});
