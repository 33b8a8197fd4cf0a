import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareUsd,
  formatUsd,
  type Microcents,
  microcents,
  multiplyUsd,
  parseUsd,
  toMicrocents,
  toUsd,
  type Usd,
} from "./money.ts";

test("price times quantity is exact, for random prices and quantities", () => {
  const tenThousandths = fc.bigInt({ min: 0n, max: 10n ** 15n });
  fc.assert(
    fc.property(tenThousandths, fc.integer({ min: 0, max: 1_000 }), (units, qty) => {
      const text = `${units / 10_000n}.${String(units % 10_000n).padStart(4, "0")}`;
      const amount = multiplyUsd(parseUsd(text), qty);
      expect(toMicrocents(amount)).toBe(units * 10_000n * BigInt(qty));
      expect(compareUsd(parseUsd(text), toUsd(microcents(units * 10_000n)))).toBe(0);
    }),
  );
});

test.each([
  ["5", "5.00"],
  ["5.0", "5.00"],
  ["0.0042", "0.0042"],
  ["0.1000", "0.10"],
  ["90071992.5474", "90071992.5474"],
])("%s is printed as %s", (text, printed) => {
  expect(formatUsd(parseUsd(text))).toBe(printed);
});

test.each(["", "-1", "1.", ".5", "1.00001", "1,5", "1e3", " 1", "1\n", "Infinity", "١"])(
  "%j is no amount",
  (text) => {
    expect(() => parseUsd(text)).toThrow(RangeError);
  },
);

test("amounts are compared as numbers", () => {
  expect(compareUsd(parseUsd("5.0"), parseUsd("5.00"))).toBe(0);
  expect(compareUsd(parseUsd("10.00"), parseUsd("9.99"))).toBeGreaterThan(0);
});

test("microcents become USD in full, also below zero", () => {
  expect(formatUsd(toUsd(microcents(-127)))).toBe("-0.00000127");
  expect(toMicrocents(parseUsd("12.50"))).toBe(1_250_000_000n);
});

test("what would not be exact is refused", () => {
  expect(() => microcents(0.5)).toThrow(RangeError);
  expect(() => microcents(2 ** 53)).toThrow(RangeError);
  expect(() => multiplyUsd(parseUsd("1"), 0.5)).toThrow(RangeError);
  expect(() => toMicrocents(multiplyUsd(toUsd(microcents(1)).div(2) as Usd, 1))).toThrow(RangeError);
});

test("microcents and USD are kept apart", () => {
  const usd = parseUsd("1");
  const amount: Microcents = microcents(1);
  // @ts-expect-error microcents are no USD
  () => formatUsd(amount);
  // @ts-expect-error USD are no microcents
  () => toUsd(usd);
  // @ts-expect-error a number is no amount
  () => multiplyUsd(1.1, 2);
});
