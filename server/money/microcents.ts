import { Decimal } from "decimal.js";

/**
 * An amount of money: whole microcents (1 USD = 100,000,000 microcents), always a bigint.
 * Signed where a change is meant (ledger entries), non-negative where a price or a cap is meant.
 */
export type Microcents = bigint & { readonly __unit: "microcents" };

/** How an amount that does not fit the printed decimals is cut: towards zero (`down`) or away from it (`up`). */
export type Rounding = "down" | "up";

export const MICROCENTS_PER_USD = 100_000_000n;

/** The largest amount an account may hold or have topped up: JSON integers stay exact up to here (about 90 million USD). */
export const MAX_ACCOUNT_MICROCENTS = microcents(BigInt(Number.MAX_SAFE_INTEGER));

export const ZERO = microcents(0n);

const PRINTED_DECIMALS = { least: 2, most: 4 };
const DECIMAL_MONEY = /^\d+(\.\d{1,4})?$/;

// 40 digits hold every BIGINT exactly, whatever it is divided by here.
const Exact = Decimal.clone({ precision: 40 });

/** Marks a bigint as an amount in microcents. */
export function microcents(amount: bigint): Microcents {
  return amount as Microcents;
}

/** The same for a column that may be empty. */
export function optionalMicrocents(amount: bigint | null): Microcents | null {
  return amount === null ? null : microcents(amount);
}

/** `a + b`. */
export function add(a: Microcents, b: Microcents): Microcents {
  return microcents(a + b);
}

/** `a - b`; may be negative. */
export function subtract(a: Microcents, b: Microcents): Microcents {
  return microcents(a - b);
}

/** `-a`. */
export function negate(a: Microcents): Microcents {
  return microcents(-a);
}

/** The price of `quantity` units, exact. */
export function multiply(unitPrice: Microcents, quantity: number): Microcents {
  return microcents(unitPrice * BigInt(quantity));
}

/**
 * Reads a DecimalMoney text ("12.5", "0.0042": USD, at most 4 decimals, no sign).
 * @returns the amount, or `null` when the text is not of that form.
 */
export function parseDecimalMoney(text: string): Microcents | null {
  if (!DECIMAL_MONEY.test(text)) return null;
  return microcents(BigInt(new Exact(text).times(MICROCENTS_PER_USD.toString()).toFixed(0)));
}

/**
 * Prints a non-negative amount as DecimalMoney: USD with 2 to 4 decimals ("12.50", "0.0042").
 * An amount below zero prints as "0.00", since DecimalMoney has no sign.
 */
export function formatDecimalMoney(amount: Microcents, rounding: Rounding = "down"): string {
  return formatUsd(amount > 0n ? amount : ZERO, rounding);
}

/** Prints an amount in USD with 2 to 4 decimals and a minus sign where it is below zero ("-3.50"). */
export function formatUsd(amount: Microcents, rounding: Rounding = "down"): string {
  const usd = new Exact(amount.toString())
    .div(MICROCENTS_PER_USD.toString())
    .toDecimalPlaces(PRINTED_DECIMALS.most, rounding === "down" ? Decimal.ROUND_DOWN : Decimal.ROUND_UP);
  return usd.toFixed(Math.max(PRINTED_DECIMALS.least, usd.decimalPlaces()));
}

/** Prints an amount in USD in full, with 2 to 8 decimals ("0.00000127"), for what costs less than DecimalMoney can say. */
export function formatExactUsd(amount: Microcents): string {
  const usd = new Exact(amount.toString()).div(MICROCENTS_PER_USD.toString());
  return usd.toFixed(Math.max(PRINTED_DECIMALS.least, usd.decimalPlaces()));
}

/** The amount as a JSON integer. @throws {RangeError} beyond 2^53, where JSON's readers lose precision. */
export function toJsonInteger(amount: Microcents): number {
  if (amount > MAX_ACCOUNT_MICROCENTS || amount < -MAX_ACCOUNT_MICROCENTS) {
    throw new RangeError("The amount does not fit into a JSON integer.");
  }
  // biome-ignore lint/plugin: the bounds above make it exact.
  return Number(amount);
}

/** Whether an amount is whole cents, as every price must be. */
export function isWholeCents(amount: Microcents): boolean {
  return amount % (MICROCENTS_PER_USD / 100n) === 0n;
}
