import type { Model } from "../models/model.ts";
import {
  type AllTokenPrices,
  FACTOR_ONE_HUNDREDTHS,
  type FactorKind,
  factorOf,
  furtherPricesOf,
  type ModelPrices,
  tokenPricesFor,
  toolPriceOf,
} from "../models/prices.ts";
import { MAX_ACCOUNT_MICROCENTS, type Microcents, microcents } from "../money/microcents.ts";
import {
  costOf,
  type FurtherUsage,
  type Iteration,
  NOTHING_FURTHER,
  type TokenCounts,
  type TokenUsage,
} from "./token-usage.ts";

/** What a call is billed at: fixed when it begins, whatever becomes of the models meanwhile. */
export interface BillingTerms {
  readonly model: Pick<Model, "modelId" | "prices">;
  /** The other models that the request names. */
  readonly otherModels?: readonly Pick<Model, "modelId" | "prices">[] | undefined;
  /** What the request asks for; holds where the answer does not say what it got. */
  readonly asked?: AskedTerms | undefined;
}

/** What of a request multiplies prices; null: it does not say. */
export interface AskedTerms {
  readonly speed: string | null;
  readonly inferenceGeo: string | null;
}

/** The kinds of tokens that have prices of their own. */
export type TokenKind = "input" | "output" | "cache_write_5m" | "cache_write_1h" | "cache_read";

const TOKEN_KINDS: ReadonlySet<string> = new Set<TokenKind>([
  "input",
  "output",
  "cache_write_5m",
  "cache_write_1h",
  "cache_read",
]);

/** One count of a call at its price. */
export interface BillItem {
  /** `message` for the answer itself, otherwise the type of the iterations. */
  readonly part: string;
  readonly modelId: string;
  /** A {@link TokenKind}, or the name of a server-side tool whose uses are counted. */
  readonly kind: string;
  readonly quantity: number;
  /** What a million of them cost before the factor. */
  readonly priceMicrocents: Microcents;
  readonly factorMillionths: number;
}

/** What a call costs, count by count: of a call that is charged by more than its four kinds of tokens at plain prices. */
export interface Bill {
  readonly items: readonly BillItem[];
  /** Null: the usual. */
  readonly speed: string | null;
  readonly inferenceGeo: string | null;
  readonly serviceTier: string | null;
  /** What the answer tells and has no price, by its names: it is charged for as far as known. */
  readonly unpriced: readonly string[];
}

/** What a call is charged. */
export interface Charge {
  readonly amountMicrocents: Microcents;
  /** Null: it follows from the four kinds of tokens and the model's plain prices. */
  readonly bill: Bill | null;
}

const MESSAGE = "message";
/** Iterations whose counts are in those of the answer. */
const ANSWERING = new Set([MESSAGE, "fallback_message"]);
const BESIDE_THE_ANSWER = new Set(["compaction", "advisor_message"]);
const PER_PRICE = 1_000_000n;
const FACTOR_ONE_MILLIONTHS = 1_000_000;
/** Prices are per million, factors in millionths. */
const SCALE = 1_000_000_000_000n;
const NO_TERMS: AskedTerms = { speed: null, inferenceGeo: null };

/**
 * What a call is charged for what it used: the exact sum of all counts at their prices, rounded up once to a whole microcent.
 *
 * Every iteration is charged at its own model's prices, and at the tier that its own input reaches; what the answer counts
 * beyond its iterations at the call's model's. Factors multiply the prices of tokens, and each other, not those of tools. A
 * thing without a price is charged for as far as known (an hour's cache write as one of five minutes, a factor as one, an
 * unknown model as the call's) and named in `unpriced`. No charge is more than an account may hold.
 * @throws {RangeError} a count is not whole.
 */
export function chargeOf(usage: TokenUsage, terms: BillingTerms): Charge {
  const { model, asked = NO_TERMS } = terms;
  const hasTiers = furtherPricesOf(model.prices).tiers.length > 0;
  if (usage.further === undefined && asked === NO_TERMS && !hasTiers) {
    return { amountMicrocents: costOf(usage, model.prices), bill: null };
  }
  const bill = billOf(usage, usage.further ?? NOTHING_FURTHER, terms);
  const amountMicrocents = sumOf(bill.items);
  return { amountMicrocents, bill: isPlain(bill, usage, model) ? null : bill };
}

/** An item's price as people know it: of a million tokens, or of one use. */
export function pricePer({ kind, priceMicrocents }: BillItem): { priceMicrocents: Microcents; per: number } {
  if (TOKEN_KINDS.has(kind)) return { priceMicrocents, per: Number(PER_PRICE) };
  return { priceMicrocents: microcents(priceMicrocents / PER_PRICE), per: 1 };
}

/** What the items of a bill come to, rounded up once to a whole microcent. */
export function sumOf(items: readonly BillItem[]): Microcents {
  const exact = items.reduce(
    (sum, { quantity, priceMicrocents, factorMillionths }) =>
      sum + BigInt(quantity) * priceMicrocents * BigInt(factorMillionths),
    0n,
  );
  const amount = microcents((exact + SCALE - 1n) / SCALE);
  return amount < MAX_ACCOUNT_MICROCENTS ? amount : MAX_ACCOUNT_MICROCENTS;
}

function billOf(usage: TokenUsage, further: FurtherUsage, { model, ...terms }: BillingTerms): Bill {
  const { asked = NO_TERMS, otherModels = [] } = terms;
  const applied = {
    speed: further.speed ?? asked.speed,
    inferenceGeo: further.inferenceGeo ?? asked.inferenceGeo,
    serviceTier: further.serviceTier,
  };
  const writer = new BillWriter(model, applied);
  for (const name of further.unknown) writer.unpriced.add(name);
  for (const iteration of further.iterations) {
    const named = modelOf(iteration, model, otherModels);
    if (named === null) writer.unpriced.add(`iterations.model=${iteration.modelId}`);
    if (!ANSWERING.has(iteration.type) && !BESIDE_THE_ANSWER.has(iteration.type)) {
      writer.unpriced.add(`iterations.type=${iteration.type}`);
    }
    writer.addTokens(ANSWERING.has(iteration.type) ? MESSAGE : iteration.type, named ?? model, iteration);
  }
  writer.addTokens(MESSAGE, model, restOf(usage, further));
  for (const [tool, uses] of Object.entries(further.toolUses)) writer.addToolUses(tool, uses);
  return { ...writer.bill(), ...shownTerms(model.prices, applied) };
}

/** Terms as far as they are not the usual. */
function shownTerms(prices: ModelPrices, applied: Readonly<Record<FactorKind, string | null>>) {
  const shown = (kind: FactorKind) =>
    factorOf(prices, kind, applied[kind]) === FACTOR_ONE_HUNDREDTHS ? null : applied[kind];
  return {
    speed: shown("speed"),
    inferenceGeo: shown("inferenceGeo"),
    serviceTier: shown("serviceTier"),
  };
}

/** The model of the request that an iteration ran on; null when the request named none of that id. */
function modelOf(
  { modelId }: Iteration,
  model: BillingTerms["model"],
  otherModels: readonly BillingTerms["model"][],
): BillingTerms["model"] | null {
  if (modelId === null) return model;
  const named = [model, ...otherModels];
  return (
    named.find((one) => one.modelId === modelId) ??
    named.find((one) => undated(one.modelId) === undated(modelId)) ??
    null
  );
}

/** A request may name a model without the date of its version, and the answer name it with it. */
function undated(modelId: string): string {
  return modelId.replace(/-(?:\d{8}|latest)$/, "");
}

/** What the answer counts and none of its iterations does. */
function restOf(usage: TokenUsage, { iterations, cacheWriteHourTokens }: FurtherUsage): PartCounts {
  const answering = iterations.filter(({ type }) => ANSWERING.has(type));
  const rest = (all: number, counted: (iteration: Iteration) => number) =>
    Math.max(0, all - answering.reduce((sum, iteration) => sum + counted(iteration), 0));
  return {
    inputTokens: rest(usage.inputTokens, (one) => one.inputTokens),
    outputTokens: rest(usage.outputTokens, (one) => one.outputTokens),
    cacheWriteTokens: rest(usage.cacheWriteTokens, (one) => one.cacheWriteTokens),
    cacheReadTokens: rest(usage.cacheReadTokens, (one) => one.cacheReadTokens),
    cacheWriteHourTokens: rest(cacheWriteHourTokens, (one) => one.cacheWriteHourTokens),
  };
}

type PartCounts = TokenCounts & Pick<FurtherUsage, "cacheWriteHourTokens">;

/** Collects the items of one bill; counts of the same at the same price become one. */
class BillWriter {
  readonly unpriced = new Set<string>();
  readonly #items = new Map<string, BillItem>();
  readonly #model: BillingTerms["model"];
  readonly #applied: Readonly<Record<FactorKind, string | null>>;

  constructor(model: BillingTerms["model"], applied: Readonly<Record<FactorKind, string | null>>) {
    this.#model = model;
    this.#applied = applied;
  }

  addTokens(part: string, { modelId, prices }: BillingTerms["model"], counts: PartCounts): void {
    const hourTokens = Math.min(counts.cacheWriteHourTokens, counts.cacheWriteTokens);
    const input = counts.inputTokens + counts.cacheWriteTokens + counts.cacheReadTokens;
    if (input + counts.outputTokens === 0) return;
    const at = tokenPricesFor(prices, input);
    const factorMillionths = this.#factorOf(modelId, prices);
    const quantities: readonly (readonly [TokenKind, number, Microcents])[] = [
      ["input", counts.inputTokens, at.inputMicrocents],
      ["output", counts.outputTokens, at.outputMicrocents],
      ["cache_write_5m", counts.cacheWriteTokens - hourTokens, at.cacheWriteMicrocents],
      ["cache_write_1h", hourTokens, this.#hourPriceOf(at, hourTokens)],
      ["cache_read", counts.cacheReadTokens, at.cacheReadMicrocents],
    ];
    for (const [kind, quantity, priceMicrocents] of quantities) {
      this.#add({ part, modelId, kind, quantity, priceMicrocents, factorMillionths });
    }
  }

  addToolUses(tool: string, quantity: number): void {
    const { modelId, prices } = this.#model;
    const price = toolPriceOf(prices, tool);
    if (price === null) {
      if (quantity > 0) this.unpriced.add(`server_tool_use.${tool}_requests`);
      return;
    }
    const priceMicrocents = microcents(price * PER_PRICE);
    const factorMillionths = FACTOR_ONE_MILLIONTHS;
    this.#add({ part: MESSAGE, modelId, kind: tool, quantity, priceMicrocents, factorMillionths });
  }

  bill(): Pick<Bill, "items" | "unpriced"> {
    return { items: [...this.#items.values()], unpriced: [...this.unpriced] };
  }

  #add(item: BillItem): void {
    if (item.quantity === 0) return;
    const { part, modelId, kind, priceMicrocents, factorMillionths } = item;
    const id = JSON.stringify([part, modelId, kind, String(priceMicrocents), factorMillionths]);
    const quantity = item.quantity + (this.#items.get(id)?.quantity ?? 0);
    this.#items.set(id, { ...item, quantity });
  }

  #hourPriceOf(at: AllTokenPrices, tokens: number): Microcents {
    if (at.cacheWriteHourMicrocents === null && tokens > 0) {
      this.unpriced.add("cache_creation.ephemeral_1h_input_tokens");
    }
    return at.cacheWriteHourMicrocents ?? at.cacheWriteMicrocents;
  }

  // Three factors of hundredths are millionths. Another model runs at the speed that it has a price for.
  #factorOf(modelId: string, prices: ModelPrices): number {
    let factor = 1;
    for (const kind of ["speed", "inferenceGeo", "serviceTier"] as const) {
      const value = this.#applied[kind];
      const hundredths = factorOf(prices, kind, value);
      const isUnpriced = hundredths === null && (kind !== "speed" || modelId === this.#model.modelId);
      if (isUnpriced) this.unpriced.add(`${NAMES[kind]}=${value}`);
      factor *= hundredths ?? FACTOR_ONE_HUNDREDTHS;
    }
    return factor;
  }
}

const NAMES: Readonly<Record<FactorKind, string>> = {
  speed: "speed",
  inferenceGeo: "inference_geo",
  serviceTier: "service_tier",
};

/** Whether the same follows from the four counts of the answer and the model's plain prices. */
function isPlain(
  { items, unpriced, ...terms }: Bill,
  usage: TokenUsage,
  { modelId, prices }: BillingTerms["model"],
): boolean {
  if (unpriced.length > 0 || Object.values(terms).some((term) => term !== null)) return false;
  const plain: Readonly<Record<string, readonly [number, Microcents]>> = {
    input: [usage.inputTokens, prices.inputMicrocents],
    output: [usage.outputTokens, prices.outputMicrocents],
    cache_write_5m: [usage.cacheWriteTokens, prices.cacheWriteMicrocents],
    cache_read: [usage.cacheReadTokens, prices.cacheReadMicrocents],
  };
  return items.every((item) => {
    const [quantity, price] = Object.hasOwn(plain, item.kind) ? (plain[item.kind] ?? []) : [];
    return (
      item.part === MESSAGE &&
      item.modelId === modelId &&
      item.factorMillionths === FACTOR_ONE_MILLIONTHS &&
      item.quantity === quantity &&
      item.priceMicrocents === price
    );
  });
}
