import { microcents } from "../money/microcents.ts";
import type { FurtherPrices, PriceTier } from "./prices.ts";

/** Names of properties that are amounts end so; in JSON they are texts of digits, for JSON has no whole numbers so large. */
const AMOUNT = "Microcents";

/** Prices as JSON, for the column that keeps them. */
export function printFurtherPrices(prices: FurtherPrices): string {
  return JSON.stringify(prices, (_name, value) => (typeof value === "bigint" ? String(value) : value));
}

/** Reads what {@link printFurtherPrices} has written. */
export function parseFurtherPrices(text: string): FurtherPrices {
  const { cacheWriteHourMicrocents, tiers, factors, toolUses } = JSON.parse(text);
  return {
    cacheWriteHourMicrocents: amountOrNull(cacheWriteHourMicrocents),
    tiers: tiers.map(withAmounts),
    factors,
    toolUses: Object.fromEntries(
      Object.entries<string>(toolUses).map(([tool, price]) => [tool, microcents(BigInt(price))]),
    ),
  };
}

function withAmounts(tier: Readonly<Record<keyof PriceTier, string | number | null>>): PriceTier {
  const entries = Object.entries(tier).map(([name, value]) => [
    name,
    name.endsWith(AMOUNT) ? amountOrNull(value as string | null) : value,
  ]);
  return Object.fromEntries(entries);
}

function amountOrNull(digits: string | null) {
  return digits === null ? null : microcents(BigInt(digits));
}
