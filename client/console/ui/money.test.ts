import { expect, test } from "vitest";
import { moneyText } from "./money.tsx";

test.each([
  ["0.00", "$0.00"],
  ["-0.00", "$0.00"],
  ["5", "$5.00"],
  ["-1234.5042", "−$1,234.5042"],
  ["-0.00000127", "−$0.00000127"],
  ["1234567.5", "$1,234,567.50"],
  ["90071992547409.93", "$90,071,992,547,409.93"],
  ["unreadable", "unreadable"],
])("the amount %s is %s", (amount, text) => {
  expect(moneyText(amount)).toBe(text);
});
