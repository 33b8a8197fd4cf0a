import type { TokenUsage } from "../calls/token-usage.ts";
import { InvalidInputError } from "../errors.ts";
import { MAX_OUTPUT_TOKENS, type Model } from "../models/model.ts";
import type { RequestFacts } from "./request-facts.ts";

/** No model takes more input, and the upstream refuses what is longer: what no reading of the bytes bounds, this does. */
const MAX_INPUT_TOKENS = 1_000_000;

/** What a model and the request say together of the most that a call may use. */
export interface CallLimits {
  readonly model: Model;
  readonly maxTokens: number;
}

/**
 * The most that a call may use, with the input counted as what costs most.
 * @throws {InvalidInputError} the request asks for what has no price, or for more than the model gives.
 */
export function boundsOf(facts: RequestFacts, { model, maxTokens }: CallLimits): TokenUsage {
  refuseUnpriced(facts, model);
  const most = model.maxOutputTokens ?? MAX_OUTPUT_TOKENS;
  if (maxTokens > most) {
    throw new InvalidInputError(
      `max_tokens: ${maxTokens} > ${most}, which is the maximum allowed number of output tokens for ${model.modelId}`,
    );
  }
  const tokens = facts.hasDocuments ? MAX_INPUT_TOKENS : Math.min(facts.inputTokens, MAX_INPUT_TOKENS);
  const { inputMicrocents, cacheWriteMicrocents } = model.prices;
  const written = facts.cacheWrite !== null && cacheWriteMicrocents > inputMicrocents;
  return {
    inputTokens: written ? 0 : tokens,
    outputTokens: maxTokens,
    cacheWriteTokens: written ? tokens : 0,
    cacheReadTokens: 0,
  };
}

const FREE_SPEEDS: ReadonlySet<string> = new Set(["standard"]);
const FREE_REGIONS: ReadonlySet<string> = new Set(["global"]);
/** "auto" is what the upstream gives a request that says nothing. */
const FREE_TIERS: ReadonlySet<string> = new Set(["auto", "standard_only"]);

function refuseUnpriced(facts: RequestFacts, { modelId }: Model): void {
  const { speed, inferenceGeo, serviceTier, hourField, compactionField, serverTools } = facts;
  const unpriced =
    (speed !== null && !FREE_SPEEDS.has(speed) && "speed") ||
    (inferenceGeo !== null && !FREE_REGIONS.has(inferenceGeo) && "inference_geo") ||
    (serviceTier !== null && !FREE_TIERS.has(serviceTier) && "service_tier") ||
    hourField ||
    compactionField ||
    serverTools[0]?.field;
  if (typeof unpriced === "string") {
    throw new InvalidInputError(`${unpriced}: Not offered by this shop: ${modelId} has no price for it.`);
  }
}
