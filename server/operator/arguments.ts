import { InvalidArgumentError } from "commander";
import { isProductId } from "../catalog/product.ts";
import { type AccountId, type KeyId, type OrderId, parseId, type SegmentId } from "../ids.ts";
import {
  formatUsd,
  MAX_ACCOUNT_MICROCENTS,
  type Microcents,
  negate,
  parseDecimalMoney,
} from "../money/microcents.ts";
import { moment } from "./moment.ts";

/** commander takes null for a value that was not given, so that none stays a word until a command uses it. */
export type AmountOrNone = Microcents | "none";

// Each of these turns what was typed into a value, or says what should have been typed instead.

export function accountId(text: string): AccountId {
  return id("acc", text, 'See "account list".');
}

export function keyId(text: string): KeyId {
  return id("key", text, 'See "key list --account ID". (A key\'s id is not the key itself.)');
}

export function orderId(text: string): OrderId {
  return id("ord", text, 'See "order list".');
}

export function segmentId(text: string): SegmentId {
  return id("seg", text, 'See "stock list --product ID".');
}

export function productId(text: string): string {
  if (isProductId(text)) return text;
  throw new InvalidArgumentError(
    "A product's id has 1 to 128 letters, digits, dots, dashes and underscores, the first a letter or digit.",
  );
}

/** USD without a sign. */
export function amount(text: string): Microcents {
  const parsed = parseDecimalMoney(text);
  if (parsed === null) {
    throw new InvalidArgumentError("Write USD with digits, a point and at most 4 decimals, such as 12.50.");
  }
  if (parsed > MAX_ACCOUNT_MICROCENTS) {
    throw new InvalidArgumentError(`The largest amount is ${formatUsd(MAX_ACCOUNT_MICROCENTS)} USD.`);
  }
  return parsed;
}

/** USD with or without a sign in front. */
export function signedAmount(text: string): Microcents {
  const unsigned = text.replace(/^[+-]/, "");
  if (parseDecimalMoney(unsigned) === null) {
    throw new InvalidArgumentError("Write USD with at most 4 decimals and a sign, such as +12.50 or -3.25.");
  }
  return text.startsWith("-") ? negate(amount(unsigned)) : amount(unsigned);
}

/** USD, or `none`; see {@link orNull}. */
export function amountOrNone(text: string): AmountOrNone {
  if (text === "none") return text;
  if (parseDecimalMoney(text) === null) {
    throw new InvalidArgumentError('Write USD with at most 4 decimals, such as 12.50, or "none".');
  }
  return amount(text);
}

/** null for `none`. */
export function orNull(value: AmountOrNone): Microcents | null {
  return value === "none" ? null : value;
}

/** A whole number within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Write a whole number from ${least} to ${most}.`);
  };
}

/** A whole number within bounds, or `default`. */
export function wholeNumberOrDefault(least: number, most: number): (text: string) => number | "default" {
  const read = wholeNumber(least, most);
  return (text) => (text === "default" ? text : read(text));
}

const MILLISECONDS_OF: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span such as `30m`, `24h` or `7d`, or 0. @returns milliseconds. */
export function span(text: string): number {
  const [, count, unit = "m"] = /^(0|\d{1,6}(?=[mhd]))([mhd])?$/.exec(text) ?? [];
  if (count === undefined)
    throw new InvalidArgumentError("Write a span such as 30m, 24h or 7d, or 0 for none.");
  return Number(count) * (MILLISECONDS_OF[unit] ?? 0);
}

/** A moment (see {@link moment}), or `never`. */
export function momentOrNever(text: string): number | "never" {
  return text === "never" ? text : moment(text);
}

/** Whether it is `on`. */
export function onOrOff(text: string): boolean {
  if (text === "on" || text === "off") return text === "on";
  throw new InvalidArgumentError("Write on or off.");
}

/** Free text. An option in its place means that the text was forgotten. */
export function text(value: string): string {
  if (!/^--[a-z]/.test(value)) return value;
  throw new InvalidArgumentError("That is another option; its own text is missing.");
}

function id<P extends "acc" | "key" | "ord" | "seg">(
  prefix: P,
  text: string,
  where: string,
): `${P}_${string}` {
  const parsed = parseId(prefix, text);
  if (parsed !== null) return parsed;
  throw new InvalidArgumentError(`Such an id is ${prefix}_ and 32 hex digits. ${where}`);
}
