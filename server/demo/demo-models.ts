import type { Services } from "../compose.ts";
import type { ModelSettings } from "../models/model.ts";
import { inMicrocents } from "./demo-prices.ts";

/** The demo shop's model that only the upstream simulator has. */
const simulatedModel = demoModel("sim-echo", "Echo, simulated", [100, 500, 125, 10]);

/** Models of the vendor, which the simulator answers for as well. */
const vendorModels = [
  demoModel("claude-sonnet-5-5", "Claude Sonnet 5.5", [300, 1500, 375, 30]),
  demoModel("claude-haiku-5-5", "Claude Haiku 5.5", [100, 500, 125, 10]),
];

/**
 * Sees to it that calls may name the demo's models; those that are there, enabled or not, stay as the operator made them.
 * @param isSimulated whether the upstream is the simulator
 * @returns the model for a first call
 */
export async function ensureDemoModels(
  { models }: Pick<Services, "models">,
  isSimulated: boolean,
): Promise<string> {
  const wanted = isSimulated ? [simulatedModel, ...vendorModels] : vendorModels;
  const known = new Set((await models.list()).map(({ modelId }) => modelId));
  for (const model of wanted) if (!known.has(model.modelId)) await models.set(model);
  return (wanted[0] as ModelSettings).modelId;
}

/** A model with its prices in cents per million tokens; an hour's cache writes are twice as dear as input. */
function demoModel(
  modelId: string,
  name: string,
  [input, output, cacheWrite, cacheRead]: readonly [number, number, number, number],
): ModelSettings {
  return {
    modelId,
    name,
    prices: {
      inputMicrocents: inMicrocents(input),
      outputMicrocents: inMicrocents(output),
      cacheWriteMicrocents: inMicrocents(cacheWrite),
      cacheReadMicrocents: inMicrocents(cacheRead),
      further: {
        cacheWriteHourMicrocents: inMicrocents(2 * input),
        tiers: [],
        factors: { speed: {}, inferenceGeo: {}, serviceTier: {} },
        toolUses: { web_search: inMicrocents(1) },
      },
    },
    maxOutputTokens: null,
  };
}
