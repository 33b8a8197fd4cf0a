import type { UsageBounds } from "../calls/highest-charge.ts";
import { InvalidInputError } from "../errors.ts";
import { MAX_OUTPUT_TOKENS, type Model } from "../models/model.ts";
import {
  canHavePrice,
  type FactorKind,
  factorOf,
  furtherPricesOf,
  type ModelPrices,
  toolPriceOf,
} from "../models/prices.ts";
import type { RequestFacts, ServerTool } from "./request-facts.ts";

/**
 * What a model takes of which the operator has not said it, and the upstream refuses what is longer: what no reading of the bytes
 * bounds, this does.
 */
const MAX_INPUT_TOKENS = 1_000_000;
/** A feature by which a model takes so much more than it does without, such as `context-1m-2025-08-07`. */
const WIDER_CONTEXT = /\bcontext-\d+m\b/;
/** What the results of one search are reckoned with; the vendor documents no bound. */
const SEARCH_RESULT_TOKENS = 30_000;
/** What the model writes to use a tool. */
const TOOL_USE_TOKENS = 200;
/** More uses of a tool than any answer makes. */
const MAX_TOOL_USES = 1_000;
/** What the upstream takes for the usual: "auto" is what it gives a request that says nothing. */
const USUAL_TIERS: ReadonlySet<string | null> = new Set([null, "auto", "standard_only"]);

/** What is asked of a model. */
export interface AskedOfModel {
  readonly model: Pick<Model, "modelId" | "prices" | "maxOutputTokens" | "facts">;
  readonly maxTokens: number;
  /** The upstream's features that the request's header switches on. */
  readonly betas?: string;
}

/**
 * The most that a call may use.
 * @throws {InvalidInputError} the request asks for what has no price or no bound, or for more than the model gives; the
 * message begins with the field.
 */
export function boundsOf(facts: RequestFacts, asked: AskedOfModel): UsageBounds {
  const { model, maxTokens } = asked;
  const mostOutput = model.maxOutputTokens ?? MAX_OUTPUT_TOKENS;
  if (maxTokens > mostOutput) {
    throw new InvalidInputError(
      `max_tokens: ${maxTokens} > ${mostOutput}, which is the maximum allowed number of output tokens for ${model.modelId}`,
    );
  }
  refuseUnpricedHour(facts, model);
  return {
    ...tokenBoundsOf(facts, asked),
    cacheWrites: facts.cacheWrite === "1h" ? ["5m", "1h"] : facts.cacheWrite === "5m" ? ["5m"] : [],
    terms: termsOf(facts, model),
    toolUses: toolUsesOf(facts.serverTools, model),
  };
}

/**
 * Each use of a tool may be followed by another run of the model, whose input is the whole conversation with the results so
 * far; and each run may follow one that summarises it.
 */
function tokenBoundsOf(
  facts: RequestFacts,
  asked: AskedOfModel,
): Pick<UsageBounds, "inputTokens" | "outputTokens" | "isOneRun"> {
  const { serverTools, compactionField } = facts;
  const { model, maxTokens } = asked;
  const mostInput = mostInputOf(asked);
  const uses = serverTools.reduce((sum, { maxUses }) => sum + (maxUses ?? 0), 0);
  const own = facts.hasDocuments ? mostInput : facts.inputTokens;
  const added =
    uses === 0
      ? 0
      : maxTokens +
        uses * TOOL_USE_TOKENS +
        serverTools.reduce((sum, tool) => sum + resultsOf(tool, mostInput), 0);
  const perRun = Math.min(own + added, mostInput);
  const runs = 1 + uses;
  const written = maxTokens + uses * TOOL_USE_TOKENS;
  if (compactionField === null)
    return { inputTokens: runs * perRun, outputTokens: written, isOneRun: runs === 1 };
  const { maxOutputTokens, modelId } = model;
  if (maxOutputTokens === null) throw unpriced(compactionField, `${modelId} has no most output`);
  const outputTokens = written + runs * maxOutputTokens;
  return { inputTokens: 2 * runs * perRun, outputTokens, isOneRun: false };
}

// How long a document is that is fetched is not known before, and the request's bound is not one of documents.
function resultsOf({ name, maxUses }: ServerTool, mostInput: number): number {
  return name === "web_search" ? (maxUses ?? 0) * SEARCH_RESULT_TOKENS : mostInput;
}

/** The longest input that the upstream takes in one run of the model. */
export function mostInputOf({
  model: { facts },
  betas = "",
}: Pick<AskedOfModel, "betas"> & { readonly model: Pick<Model, "facts"> }): number {
  const usual = facts?.maxInputTokens ?? MAX_INPUT_TOKENS;
  return WIDER_CONTEXT.test(betas) ? Math.max(usual, MAX_INPUT_TOKENS) : usual;
}

function refuseUnpricedHour({ hourField }: RequestFacts, { modelId, prices }: AskedOfModel["model"]): void {
  if (hourField === null) return;
  const { cacheWriteHourMicrocents, tiers } = furtherPricesOf(prices);
  if (cacheWriteHourMicrocents === null || tiers.some((tier) => tier.cacheWriteHourMicrocents === null)) {
    throw unpriced(hourField, `${modelId} has no price for it`);
  }
}

/** What the request asks for; where it leaves the choice to the upstream, whatever has a price. */
function termsOf(facts: RequestFacts, { modelId, prices }: AskedOfModel["model"]): UsageBounds["terms"] {
  const asked = (kind: FactorKind, field: string, value: string): readonly string[] => {
    if (factorOf(prices, kind, value) === null) throw unpriced(field, `${modelId} has no price for it`);
    return [value];
  };
  const { speed, inferenceGeo, serviceTier } = facts;
  return {
    speed: speed === null ? [] : asked("speed", "speed", speed),
    inferenceGeo:
      inferenceGeo === null
        ? pricedValues(prices, "inferenceGeo")
        : asked("inferenceGeo", "inference_geo", inferenceGeo),
    serviceTier:
      serviceTiersOf(serviceTier, prices) ?? asked("serviceTier", "service_tier", serviceTier ?? ""),
  };
}

/** Null: a tier of its own is asked for. */
function serviceTiersOf(value: string | null, prices: ModelPrices): readonly string[] | null {
  if (!USUAL_TIERS.has(value)) return null;
  return value === "standard_only" ? [] : pricedValues(prices, "serviceTier");
}

function pricedValues(prices: ModelPrices, kind: FactorKind): readonly string[] {
  return Object.keys(furtherPricesOf(prices).factors[kind]);
}

function toolUsesOf(
  tools: readonly ServerTool[],
  { modelId, prices }: AskedOfModel["model"],
): Readonly<Record<string, number>> {
  const uses: Record<string, number> = {};
  for (const { field, name, maxUses } of tools) {
    if (!canHavePrice(name))
      throw unpriced(field, `what ${name} costs cannot be bounded, or no answer tells it`);
    if (toolPriceOf(prices, name) === null) throw unpriced(field, `${modelId} has no price for ${name}`);
    if (maxUses === null) {
      throw new InvalidInputError(`${field}.max_uses: Field required: it bounds what the call may cost`);
    }
    if (maxUses > MAX_TOOL_USES) {
      throw new InvalidInputError(
        `${field}.max_uses: Input should be less than or equal to ${MAX_TOOL_USES}`,
      );
    }
    uses[name] = (uses[name] ?? 0) + maxUses;
  }
  return uses;
}

function unpriced(field: string, why: string): InvalidInputError {
  return new InvalidInputError(`${field}: Not offered by this shop: ${why}.`);
}
