import { describe, expect, test } from "vitest";
import { amountOf } from "./amount-of.ts";

describe("an amount that a person has typed", () => {
  test.each([
    ["50", "50"],
    [" 50.25 ", "50.25"],
    ["$50", "50"],
    ["$ 50", "50"],
  ])("%j is %j", (typed, amount) => expect(amountOf(typed)).toBe(amount));

  test.each(["", " ", "$"])("%j is none", (typed) => expect(amountOf(typed)).toBeNull());

  test.each(["1,5", "1,500", "1 5", "5$", "fifty"])("%j stays, to be refused", (typed) =>
    expect(amountOf(typed)).toBe(typed),
  );
});
