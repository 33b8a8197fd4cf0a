import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatDecimalMoney,
  formatExactUsd,
  formatUsd,
  isWholeCents,
  MAX_ACCOUNT_MICROCENTS,
  microcents,
  multiply,
  parseDecimalMoney,
  toJsonInteger,
} from "./microcents.ts";

const Exact = Decimal.clone({ precision: 60 });

describe("price times quantity", () => {
  test("is what decimal.js says, for 1,000 random prices and quantities", () => {
    const cents = fc.bigInt({ min: 1n, max: 5_000_000n });
    const qty = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(cents, qty, (price, quantity) => {
        const text = new Exact(price.toString()).div(100).toFixed(2);
        const unitPrice = parseDecimalMoney(text);
        if (unitPrice === null) throw new Error(`${text} was not read`);
        expect(formatDecimalMoney(multiply(unitPrice, quantity))).toBe(
          new Exact(text).times(quantity).toFixed(2),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("DecimalMoney", () => {
  test("is read and printed again as the same amount", () => {
    const digits = fc.bigInt({ min: 0n, max: 9_007_199_254n });
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 4 }), (value, decimals) => {
        const text = new Exact(value.toString()).div(10 ** decimals).toFixed(decimals);
        const amount = parseDecimalMoney(text);
        expect(amount).not.toBeNull();
        expect(new Exact(formatDecimalMoney(amount ?? microcents(-1n))).equals(new Exact(text))).toBe(true);
      }),
    );
  });

  test.each([
    ["0", 0n],
    ["0.0001", 10_000n],
    ["5.0", 500_000_000n],
    ["5.00", 500_000_000n],
    ["007", 700_000_000n],
    ["90071992.5474", 9_007_199_254_740_000n],
  ])("%s is %s microcents", (text, amount) => {
    expect(parseDecimalMoney(text)).toBe(amount);
  });

  test.each([
    "",
    "-1",
    "+1",
    "1.",
    ".5",
    "1.00001",
    "1,5",
    "1e3",
    " 1",
    "1 ",
    "١",
    "0x1",
    "NaN",
    "Infinity",
    "1\n",
  ])("%j is none", (text) => {
    expect(parseDecimalMoney(text)).toBeNull();
  });

  test.each([
    [1_250_000_000n, "12.50", "12.50"],
    [420_000n, "0.0042", "0.0042"],
    [1n, "0.00", "0.0001"],
    [123_456_789n, "1.2345", "1.2346"],
    [123_400_000n, "1.234", "1.234"],
    [0n, "0.00", "0.00"],
    [-1n, "0.00", "0.00"],
    [MAX_ACCOUNT_MICROCENTS, "90071992.5474", "90071992.5475"],
  ])("%s microcents print as %s, or %s when rounded up", (amount, down, up) => {
    expect(formatDecimalMoney(microcents(amount), "down")).toBe(down);
    expect(formatDecimalMoney(microcents(amount), "up")).toBe(up);
  });
});

test("signed amounts print with their sign", () => {
  expect(formatUsd(microcents(-350_000_000n))).toBe("-3.50");
  expect(formatUsd(microcents(350_000_000n))).toBe("3.50");
});

test("an amount in full has all of its decimals, two at least, and reads back as what it was", () => {
  expect(formatExactUsd(microcents(0n))).toBe("0.00");
  expect(formatExactUsd(microcents(-1n))).toBe("-0.00000001");
  expect(formatExactUsd(microcents(123_450_000n))).toBe("1.2345");
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (amount) => {
      const text = formatExactUsd(microcents(amount));
      expect(text).toMatch(/^-?\d+\.\d{2,8}$/);
      expect(new Exact(text).times(100_000_000).toFixed(0)).toBe(String(amount));
    }),
  );
});

test("whole cents are told from parts of cents", () => {
  expect(isWholeCents(microcents(1_000_000n))).toBe(true);
  expect(isWholeCents(microcents(1_500_000n))).toBe(false);
});

test("an amount beyond 2^53 is no JSON integer", () => {
  expect(toJsonInteger(MAX_ACCOUNT_MICROCENTS)).toBe(Number.MAX_SAFE_INTEGER);
  expect(() => toJsonInteger(microcents(MAX_ACCOUNT_MICROCENTS + 1n))).toThrow(RangeError);
});
