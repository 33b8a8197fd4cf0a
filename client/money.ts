import { Decimal } from "decimal.js";

/** An amount in USD, exact. Prices and balances of the ordering interface are its texts. */
export type Usd = Decimal & { readonly __unit: "usd" };

/** An amount in whole microcents: 100,000,000 are 1 USD. Amounts of the AI proxy are in it. */
export type Microcents = bigint & { readonly __unit: "microcents" };

const MICROCENTS_PER_USD = 100_000_000;
const DECIMAL_MONEY = /^\d+(\.\d{1,4})?$/;
const MIN_DECIMALS = 2;

// 40 digits hold every amount exactly, whatever it is multiplied by here.
const Exact = Decimal.clone({ precision: 40 });

/** Reads a DecimalMoney text ("12.5", "0.0042"). @throws {RangeError} when it is none. */
export function parseUsd(text: string): Usd {
  if (!DECIMAL_MONEY.test(text)) throw new RangeError(`${JSON.stringify(text)} is no amount in USD.`);
  return new Exact(text) as Usd;
}

/** Prints an amount with at least two decimals, and as many as it has ("12.50", "0.0042"). */
export function formatUsd(amount: Usd): string {
  // biome-ignore lint/plugin: a Decimal's toFixed is exact, unlike a number's.
  return amount.toFixed(Math.max(MIN_DECIMALS, amount.decimalPlaces()));
}

/** The price of `qty` units. @throws {RangeError} when `qty` is no whole number from 0. */
export function multiplyUsd(unitPrice: Usd, qty: number): Usd {
  if (!Number.isSafeInteger(qty) || qty < 0) throw new RangeError(`${qty} is no quantity.`);
  return unitPrice.times(qty) as Usd;
}

/** Below zero when `a` is less than `b`, zero when they are the same amount, above zero otherwise. */
export function compareUsd(a: Usd, b: Usd): number {
  return a.comparedTo(b);
}

/** Marks an amount of the AI proxy's answers. @throws {RangeError} for a number that is not exact. */
export function microcents(amount: number | bigint): Microcents {
  if (typeof amount === "number" && !Number.isSafeInteger(amount)) {
    throw new RangeError(`${amount} is no whole number of microcents.`);
  }
  return BigInt(amount) as Microcents;
}

/** The same amount in USD, exact. */
export function toUsd(amount: Microcents): Usd {
  return new Exact(amount.toString()).div(MICROCENTS_PER_USD) as Usd;
}

/** The same amount in microcents. @throws {RangeError} when it is no whole number of them. */
export function toMicrocents(amount: Usd): Microcents {
  const scaled = amount.times(MICROCENTS_PER_USD);
  if (!scaled.isInteger()) throw new RangeError("The amount is no whole number of microcents.");
  // biome-ignore lint/plugin: a Decimal's toFixed is exact, unlike a number's.
  return BigInt(scaled.toFixed(0)) as Microcents;
}
