import { Decimal } from "decimal.js";
import type { ModelPrices, PriceTier } from "../../models/prices.ts";
import type { SentAnswer } from "./sent.ts";
import type { ToldUsage } from "./told-usage.ts";

// Written from the vendor's price list and from nothing of the service: its arithmetic, its reading of a usage and its rounding
// are compared with these.
const Exact = Decimal.clone({ precision: 80, toExpPos: 80 });
const TOKENS = 1_000_000;

/** What the vendor bills of a request that names those models; null prices: there is none. */
export type PriceList = ReadonlyMap<string, ModelPrices>;

/** What is billed for one answer, in microcents, rounded up once; nothing when no usage was told. */
export function billFor(
  { told, body, model }: Pick<SentAnswer, "told" | "body" | "model">,
  list: PriceList,
): bigint {
  if (told === null || model === null) return 0n;
  const asked = JSON.parse(body.toString());
  return billForUsage(told, { model, speed: asked.speed, inference_geo: asked.inference_geo }, list);
}

/** What is billed for a usage; what it does not say of speed and region, the request does. */
export function billForUsage(
  told: ToldUsage,
  asked: { readonly model: string; readonly speed?: unknown; readonly inference_geo?: unknown },
  list: PriceList,
): bigint {
  const runs = Array.isArray(told.iterations) && told.iterations.length > 0 ? told.iterations : [told];
  const applied = {
    speed: told.speed ?? asked.speed,
    inferenceGeo: told.inference_geo ?? asked.inference_geo,
    serviceTier: told.service_tier,
  };
  let total = new Exact(0);
  for (const run of runs) {
    const prices = pricesOf(run === told ? asked.model : (run.model ?? asked.model), list);
    let ofRun = tokensAt(prices, run);
    for (const [kind, value] of Object.entries(applied)) {
      ofRun = ofRun.times(multiplier(prices, kind as keyof typeof applied, value));
    }
    total = total.plus(ofRun);
  }
  return BigInt(
    total
      .plus(usesAt(pricesOf(asked.model, list), told.server_tool_use))
      .ceil()
      .toString(),
  );
}

function pricesOf(model: string, list: PriceList): ModelPrices {
  const prices = list.get(model);
  if (prices === undefined) throw new Error(`The vendor sells no ${model}.`);
  return prices;
}

/** One run's tokens, before anything multiplies them. */
function tokensAt(prices: ModelPrices, run: ToldUsage): Decimal {
  const writes = number(run.cache_creation_input_tokens);
  const hour = Math.min(number((run.cache_creation as ToldUsage | null)?.ephemeral_1h_input_tokens), writes);
  const [input, reads] = [number(run.input_tokens), number(run.cache_read_input_tokens)];
  const tiers: readonly PriceTier[] = prices.further?.tiers ?? [];
  const above = tiers.filter((tier) => input + writes + reads > tier.aboveInputTokens).at(-1);
  const at = above ?? prices;
  const hourPrice = (above ?? prices.further)?.cacheWriteHourMicrocents;
  if (hour > 0 && typeof hourPrice !== "bigint") throw new Error("The vendor has no price for an hour.");
  return [
    [input, at.inputMicrocents],
    [number(run.output_tokens), at.outputMicrocents],
    [writes - hour, at.cacheWriteMicrocents],
    [hour, hourPrice ?? 0n],
    [reads, at.cacheReadMicrocents],
  ].reduce(
    (sum, [tokens, price]) => sum.plus(new Exact(String(price)).times(String(tokens)).dividedBy(TOKENS)),
    new Exact(0),
  );
}

function multiplier(
  prices: ModelPrices,
  kind: "speed" | "inferenceGeo" | "serviceTier",
  value: unknown,
): Decimal {
  const hundredths = typeof value === "string" ? prices.further?.factors[kind][value] : undefined;
  return new Exact(hundredths ?? 100).dividedBy(100);
}

/** Uses of tools cost the same whatever the speed and the region; fetching is free. */
function usesAt(prices: ModelPrices, told: unknown): Decimal {
  let sum = new Exact(0);
  for (const [name, uses] of Object.entries((told as ToldUsage | null | undefined) ?? {})) {
    const price = prices.further?.toolUses[name.replace(/_requests$/, "")] ?? 0n;
    sum = sum.plus(new Exact(String(price)).times(number(uses)));
  }
  return sum;
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
