import { InvalidInputError } from "../errors.ts";
import { formatUsd, MICROCENTS_PER_USD, type Microcents, microcents, ZERO } from "../money/microcents.ts";

/** What a million tokens of each kind cost. */
export interface TokenPrices {
  readonly inputMicrocents: Microcents;
  readonly outputMicrocents: Microcents;
  /** Input that the upstream writes into its prompt cache for five minutes. */
  readonly cacheWriteMicrocents: Microcents;
  /** Input that the upstream reads from its prompt cache. */
  readonly cacheReadMicrocents: Microcents;
}

/** The same, with what not every model has. */
export interface AllTokenPrices extends TokenPrices {
  /** Input that the upstream writes into its prompt cache for an hour; null: it has no price. */
  readonly cacheWriteHourMicrocents: Microcents | null;
}

/** The prices of a request whose input, from the cache or not, is above a threshold: of all of its tokens. */
export interface PriceTier extends AllTokenPrices {
  readonly aboveInputTokens: number;
}

/** What of a request multiplies the prices of its tokens. */
export type FactorKind = "speed" | "inferenceGeo" | "serviceTier";

/** Factors in hundredths by the values that have one, such as `{ speed: { fast: 600 } }`. */
export type PriceFactors = Readonly<Record<FactorKind, Readonly<Record<string, number>>>>;

/** Prices of what not every call has. */
export interface FurtherPrices extends Pick<AllTokenPrices, "cacheWriteHourMicrocents"> {
  /** By rising threshold. */
  readonly tiers: readonly PriceTier[];
  readonly factors: PriceFactors;
  /** What one use of a server-side tool costs, by the tool's name, such as `web_search`. */
  readonly toolUses: Readonly<Record<string, Microcents>>;
}

/** Every price of a model. What is asked for and has none is refused. */
export interface ModelPrices extends TokenPrices {
  /** Absent: none. */
  readonly further?: FurtherPrices;
}

/** A factor of one: the price as it is. */
export const FACTOR_ONE_HUNDREDTHS = 100;
export const MAX_FACTOR_HUNDREDTHS = 10_000;

/** No price is higher, so that what any call may cost stays a BIGINT: 10,000 USD per million tokens. */
export const MAX_TOKEN_PRICE_MICROCENTS = microcents(10_000n * MICROCENTS_PER_USD);

/** No use of a tool costs more: 100 USD. */
export const MAX_TOOL_PRICE_MICROCENTS = microcents(100n * MICROCENTS_PER_USD);

const MAX_TIERS = 8;
const MAX_TIER_THRESHOLD = 1_000_000_000;
const FACTOR_VALUE = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** What the vendor calls the usual; it has the plain price. */
const STANDARD: Readonly<Record<FactorKind, ReadonlySet<string>>> = {
  speed: new Set(["standard"]),
  inferenceGeo: new Set(["global", "not_available"]),
  serviceTier: new Set(["standard"]),
};

/**
 * Tools that the upstream runs, whose uses a request can bound and an answer counts: others can have no price, since nothing would
 * say what a call costs.
 */
const PRICED_TOOLS: readonly string[] = ["web_search", "web_fetch"];
/** What the vendor bills by nothing but the tokens of its results. */
const FREE_TOOLS: ReadonlySet<string> = new Set(["web_fetch"]);

const NONE: FurtherPrices = {
  cacheWriteHourMicrocents: null,
  tiers: [],
  factors: { speed: {}, inferenceGeo: {}, serviceTier: {} },
  toolUses: {},
};

/** The prices of what not every call has; none of them where a model has none. */
export function furtherPricesOf({ further }: ModelPrices): FurtherPrices {
  return further ?? NONE;
}

/** What tokens cost in a request with so much input, from the cache or not. */
export function tokenPricesFor(prices: ModelPrices, inputTokens: number): AllTokenPrices {
  const { tiers, cacheWriteHourMicrocents } = furtherPricesOf(prices);
  const tier = tiers.findLast(({ aboveInputTokens }) => inputTokens > aboveInputTokens);
  return tier ?? { ...prices, cacheWriteHourMicrocents };
}

/** What multiplies the prices, in hundredths: 100 for what is standard and for null, null for what has no price. */
export function factorOf(prices: ModelPrices, kind: FactorKind, value: string | null): number | null {
  if (value === null) return FACTOR_ONE_HUNDREDTHS;
  if (STANDARD[kind].has(value)) return FACTOR_ONE_HUNDREDTHS;
  const factors = furtherPricesOf(prices).factors[kind];
  return Object.hasOwn(factors, value) ? (factors[value] ?? null) : null;
}

/** What one use of a server-side tool costs: null when it has no price. */
export function toolPriceOf(prices: ModelPrices, tool: string): Microcents | null {
  const { toolUses } = furtherPricesOf(prices);
  if (Object.hasOwn(toolUses, tool)) return toolUses[tool] ?? null;
  return FREE_TOOLS.has(tool) ? ZERO : null;
}

/** Whether a tool that the upstream runs can have a price, and so be offered. */
export function canHavePrice(tool: string): boolean {
  return PRICED_TOOLS.includes(tool);
}

/** @throws {InvalidInputError} a price is not acceptable. */
export function checkPrices(prices: ModelPrices): void {
  const { cacheWriteHourMicrocents, tiers, factors, toolUses } = furtherPricesOf(prices);
  checkTokenPrices({ ...prices, cacheWriteHourMicrocents });
  checkTiers(tiers);
  for (const kind of Object.keys(STANDARD) as FactorKind[]) checkFactors(kind, factors[kind]);
  for (const [tool, price] of Object.entries(toolUses)) {
    if (!canHavePrice(tool)) {
      throw new InvalidInputError(
        `${tool} can have no price, also not 0: what it costs cannot be bounded, or no answer tells it. Those that can: ${PRICED_TOOLS.join(", ")}.`,
      );
    }
    if (price < 0n || price > MAX_TOOL_PRICE_MICROCENTS) {
      throw new InvalidInputError(`A use of a tool costs 0 to ${formatUsd(MAX_TOOL_PRICE_MICROCENTS)} USD.`);
    }
  }
}

function checkTokenPrices(prices: AllTokenPrices): void {
  const { inputMicrocents, outputMicrocents, cacheWriteMicrocents, cacheReadMicrocents } = prices;
  const hour = prices.cacheWriteHourMicrocents ?? ZERO;
  for (const price of [inputMicrocents, outputMicrocents, cacheWriteMicrocents, cacheReadMicrocents, hour]) {
    if (price < 0n || price > MAX_TOKEN_PRICE_MICROCENTS) {
      throw new InvalidInputError(
        `A price is from 0 to ${formatUsd(MAX_TOKEN_PRICE_MICROCENTS)} USD per million tokens.`,
      );
    }
  }
}

function checkTiers(tiers: readonly PriceTier[]): void {
  if (tiers.length > MAX_TIERS) throw new InvalidInputError(`A model has at most ${MAX_TIERS} tiers.`);
  let below = 0;
  for (const tier of tiers) {
    const { aboveInputTokens: threshold } = tier;
    if (!Number.isInteger(threshold) || threshold <= below || threshold > MAX_TIER_THRESHOLD) {
      throw new InvalidInputError(
        `The tiers' thresholds are rising whole numbers of tokens up to ${MAX_TIER_THRESHOLD}.`,
      );
    }
    below = threshold;
    checkTokenPrices(tier);
  }
}

function checkFactors(kind: FactorKind, byValue: Readonly<Record<string, number>>): void {
  for (const [value, factor] of Object.entries(byValue)) {
    if (!FACTOR_VALUE.test(value)) {
      throw new InvalidInputError(`A value of ${kind} has a to z, 0 to 9, - and _.`);
    }
    if (STANDARD[kind].has(value)) {
      throw new InvalidInputError(`${value} is the standard, which the prices are for: it has no factor.`);
    }
    if (!Number.isInteger(factor) || factor < 1 || factor > MAX_FACTOR_HUNDREDTHS) {
      throw new InvalidInputError(
        `A factor is from 0.01 to ${MAX_FACTOR_HUNDREDTHS / FACTOR_ONE_HUNDREDTHS}.`,
      );
    }
  }
}
