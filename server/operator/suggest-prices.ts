import { Decimal } from "decimal.js";
import { PROGRAM_NAME } from "./command.ts";
import { OperatorError } from "./explain-error.ts";
import type { Report } from "./report.ts";

/** The vendor whose interface the AI proxy speaks, as the list names it. */
const VENDOR = "anthropic";
const SEARCHES_PER_PRICE = 1_000;

/** The options of `model set` by what the list calls them, tokens first. */
const TOKEN_OPTIONS = {
  input_mtok: "input",
  output_mtok: "output",
  cache_write_mtok: "cache-write",
  cache_write_1h_mtok: "cache-write-hour",
  cache_read_mtok: "cache-read",
} as const;
const SEARCHES = "web_searches_kcount";

const ABOUT_SUGGESTIONS =
  "Nothing is changed by this. The figures are of the list in @pydantic/genai-prices, which others keep and which came with this " +
  "version: compare them with the vendor's own page. It knows no factors of speed, region and service tier.";

/** A price of the list: one for all, or tiers above thresholds of input. */
type Price = number | { readonly base: number; readonly tiers: readonly { start: number; price: number }[] };

/**
 * What a public list of prices has for a model of the vendor's, as the command that would set it.
 * @throws {OperatorError} it has none.
 */
export async function suggestPrices(modelId: string): Promise<Report> {
  // Large, and of no use to any other command.
  const { calcPrice } = await import("@pydantic/genai-prices");
  const found = calcPrice({ input_tokens: 1 }, modelId, { providerId: VENDOR });
  if (found === null) {
    throw new OperatorError(
      `The list of prices has no model ${JSON.stringify(modelId)}.`,
      "look at the vendor's price list, and set the model by it: model set --help",
    );
  }
  const { model, model_price: prices } = found;
  const unknown = Object.keys(prices).filter((name) => !(name in TOKEN_OPTIONS) && name !== SEARCHES);
  const options = optionsOf(prices as Readonly<Record<string, Price | undefined>>);
  const name = model.name ?? model.id;
  const command = `${PROGRAM_NAME} model set ${modelId} --name ${JSON.stringify(name)} ${options.join(" ")}`;
  const notes = [
    ...(model.id === modelId ? [] : [`The list has it as ${model.id}, by the beginning of its name.`]),
    ...(model.price_comments === undefined ? [] : [model.price_comments]),
    ...(unknown.length === 0 ? [] : [`It also has, which no option sets: ${unknown.join(", ")}.`]),
    ABOUT_SUGGESTIONS,
  ];
  const json = { modelId, foundAs: model.id, name, options, command, notes };
  return { json, text: [command, "", ...notes].join("\n") };
}

function optionsOf(prices: Readonly<Record<string, Price | undefined>>): string[] {
  const tokens = Object.entries(TOKEN_OPTIONS).flatMap(([key, option]) => {
    const price = prices[key];
    return price === undefined ? [] : [{ option, price }];
  });
  const thresholds = tokens.flatMap(({ price }) =>
    typeof price === "number" ? [] : price.tiers.map(({ start }) => start),
  );
  const tiers = [...new Set(thresholds)]
    .sort((a, b) => a - b)
    .map((threshold) => {
      const pairs = tokens.map(({ option, price }) => `${option}=${usd(priceAbove(price, threshold))}`);
      return `--tier ${threshold}:${pairs.join(",")}`;
    });
  const searches = prices[SEARCHES];
  return [
    ...tokens.map(
      ({ option, price }) => `--${option} ${usd(typeof price === "number" ? price : price.base)}`,
    ),
    ...tiers,
    ...(typeof searches === "number" ? [`--tool web_search=${usd(searches, SEARCHES_PER_PRICE)}`] : []),
  ];
}

function priceAbove(price: Price, threshold: number): number {
  if (typeof price === "number") return price;
  const reached = price.tiers.filter(({ start }) => start <= threshold);
  return reached.at(-1)?.price ?? price.base;
}

/** The list has binary fractions; their shortest form is what was meant. */
function usd(price: number, per = 1): string {
  return new Decimal(String(price)).dividedBy(per).toString();
}
