import { InvalidArgumentError } from "commander";
import {
  type AllTokenPrices,
  FACTOR_ONE_HUNDREDTHS,
  furtherPricesOf,
  MAX_FACTOR_HUNDREDTHS,
  type ModelPrices,
  type PriceTier,
} from "../models/prices.ts";
import { formatExactUsd, type Microcents, microcents } from "../money/microcents.ts";
import { type AmountOrNone, amount, amountOrNone, orNull, wholeNumber } from "./arguments.ts";

// What the vendor of the interface asks for its prompt cache, in hundredths of the price of input.
const CACHE_WRITE_PERCENT = 125n;
const CACHE_WRITE_HOUR_PERCENT = 200n;
const CACHE_READ_PERCENT = 10n;

const MAX_THRESHOLD = 1_000_000_000;
const TIER_NAMES = ["input", "output", "cache-write", "cache-write-hour", "cache-read"] as const;

/** Prices of tokens as they are typed; those of the cache may be left out. */
interface TokenPriceOptions {
  readonly input: Microcents;
  readonly output: Microcents;
  readonly cacheWrite?: Microcents | undefined;
  readonly cacheWriteHour?: AmountOrNone | undefined;
  readonly cacheRead?: Microcents | undefined;
}

/** Every price of a model as it is typed. */
export interface PriceOptions extends TokenPriceOptions {
  readonly tier?: readonly PriceTier[];
  readonly speed?: Factors;
  readonly inferenceGeo?: Factors;
  readonly serviceTier?: Factors;
  readonly tool?: Readonly<Record<string, Microcents>>;
}

type Factors = Readonly<Record<string, number>>;

/** The prices that were typed, with the vendor's customary ones of the cache where none was. */
export function pricesOf(options: PriceOptions): ModelPrices {
  const { cacheWriteHourMicrocents, ...prices } = tokenPricesOf(options);
  const { speed = {}, inferenceGeo = {}, serviceTier = {}, tool = {} } = options;
  const tiers = [...(options.tier ?? [])].sort((a, b) => a.aboveInputTokens - b.aboveInputTokens);
  const factors = { speed, inferenceGeo, serviceTier };
  return { ...prices, further: { cacheWriteHourMicrocents, tiers, factors, toolUses: tool } };
}

function tokenPricesOf(options: TokenPriceOptions): AllTokenPrices {
  const { input, output, cacheWrite, cacheWriteHour, cacheRead } = options;
  return {
    inputMicrocents: input,
    outputMicrocents: output,
    cacheWriteMicrocents: cacheWrite ?? percentOf(input, CACHE_WRITE_PERCENT),
    cacheWriteHourMicrocents: orNull(cacheWriteHour ?? percentOf(input, CACHE_WRITE_HOUR_PERCENT)),
    cacheReadMicrocents: cacheRead ?? percentOf(input, CACHE_READ_PERCENT),
  };
}

// Exact: an amount that was typed has at most 4 decimals of the 8 that microcents have.
function percentOf(price: Microcents, percent: bigint): Microcents {
  return microcents((price * percent) / 100n);
}

/** `200000:input=6,output=22.50`, each time that the option is given. */
export function tiers(text: string, before: readonly PriceTier[] = []): readonly PriceTier[] {
  const [threshold = "", rest = ""] = text.split(":", 2);
  const typed = new Map(rest.split(",").map((pair) => nameAndValue(pair)));
  const unknown = [...typed.keys()].find((name) => !(TIER_NAMES as readonly string[]).includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`A tier's prices are ${TIER_NAMES.join(", ")}.`);
  const price = (name: (typeof TIER_NAMES)[number]) => {
    const value = typed.get(name);
    return value === undefined ? undefined : amount(value);
  };
  const [input, output, hour] = [price("input"), price("output"), typed.get("cache-write-hour")];
  if (input === undefined || output === undefined) {
    throw new InvalidArgumentError("Write 200000:input=6,output=22.50, with cache-write=… and so on behind.");
  }
  const prices = tokenPricesOf({
    input,
    output,
    cacheWrite: price("cache-write"),
    cacheWriteHour: hour === undefined ? undefined : amountOrNone(hour),
    cacheRead: price("cache-read"),
  });
  return [...before, { aboveInputTokens: wholeNumber(1, MAX_THRESHOLD)(threshold), ...prices }];
}

/** `fast=6`, each time that the option is given. */
export function factors(text: string, before: Factors = {}): Factors {
  const [value, factor] = nameAndValue(text);
  const [, whole = "", decimals = ""] = /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(factor) ?? [];
  const hundredths = Number(whole) * FACTOR_ONE_HUNDREDTHS + Number(decimals.padEnd(2, "0"));
  if (whole === "" || hundredths < 1 || hundredths > MAX_FACTOR_HUNDREDTHS) {
    throw new InvalidArgumentError(
      `Write a factor from 0.01 to ${MAX_FACTOR_HUNDREDTHS / FACTOR_ONE_HUNDREDTHS}, such as fast=6 or us=1.1.`,
    );
  }
  return { ...before, [value]: hundredths };
}

/** `web_search=0.01`, each time that the option is given. */
export function toolPrices(
  text: string,
  before: Readonly<Record<string, Microcents>> = {},
): Readonly<Record<string, Microcents>> {
  const [tool, price] = nameAndValue(text);
  return { ...before, [tool]: amount(price) };
}

/** What a model's prices are in JSON: USD as texts, factors as decimals. */
export function pricesJson(prices: ModelPrices) {
  const { cacheWriteHourMicrocents, tiers, factors, toolUses } = furtherPricesOf(prices);
  return {
    ...tokenPricesJson({ ...prices, cacheWriteHourMicrocents }),
    tiers: tiers.map((tier) => ({ aboveInputTokens: tier.aboveInputTokens, ...tokenPricesJson(tier) })),
    speed: factorsJson(factors.speed),
    inferenceGeo: factorsJson(factors.inferenceGeo),
    serviceTier: factorsJson(factors.serviceTier),
    tools: Object.fromEntries(Object.entries(toolUses).map(([tool, usd]) => [tool, formatExactUsd(usd)])),
  };
}

/** What not every model has, in a line: `above 200000: 6.00/22.50; speed fast ×6; web_search 0.01`; null: nothing. */
export function furtherPricesText(json: ReturnType<typeof pricesJson>): string | null {
  const { tiers, tools, speed, inferenceGeo, serviceTier } = json;
  const parts = [
    ...tiers.map(({ aboveInputTokens, input, output }) => `above ${aboveInputTokens}: ${input}/${output}`),
    ...Object.entries({ speed, "inference geo": inferenceGeo, "service tier": serviceTier }).flatMap(
      ([kind, values]) => Object.entries(values).map(([value, factor]) => `${kind} ${value} ×${factor}`),
    ),
    ...Object.entries(tools).map(([tool, usd]) => `${tool} ${usd}`),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}

function tokenPricesJson(prices: AllTokenPrices) {
  const hour = prices.cacheWriteHourMicrocents;
  return {
    input: formatExactUsd(prices.inputMicrocents),
    output: formatExactUsd(prices.outputMicrocents),
    cacheWrite: formatExactUsd(prices.cacheWriteMicrocents),
    cacheWriteHour: hour === null ? null : formatExactUsd(hour),
    cacheRead: formatExactUsd(prices.cacheReadMicrocents),
  };
}

function factorsJson(byValue: Factors): Record<string, string> {
  return Object.fromEntries(
    Object.entries(byValue).map(([value, hundredths]) => [value, String(hundredths / FACTOR_ONE_HUNDREDTHS)]),
  );
}

function nameAndValue(pair: string): readonly [string, string] {
  const [, name, value] = /^([a-z0-9][a-z0-9_-]*)=(.+)$/.exec(pair) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new InvalidArgumentError(`"${pair}" is not of the form name=value.`);
}
