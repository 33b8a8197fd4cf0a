import { type Command, InvalidArgumentError, Option } from "commander";
import { LIFECYCLES, MAX_INPUT_TOKENS, type ModelFacts, NO_FACTS } from "../models/facts.ts";
import { isModelId, MAX_OUTPUT_TOKENS, type Model, type ModelSettings } from "../models/model.ts";
import { amount, amountOrNone, text, wholeNumber } from "./arguments.ts";
import { addCommand, addGroup, type Run } from "./command.ts";
import {
  factors,
  furtherPricesText,
  type PriceOptions,
  pricesJson,
  pricesOf,
  tiers,
  toolPrices,
} from "./price-options.ts";
import { details, isoTime, type JsonValue, type Report, table } from "./report.ts";
import { suggestPrices } from "./suggest-prices.ts";

const ABOUT_PRICES = `Prices of tokens are USD per million. Where those of the prompt cache are not given they are the vendor's customary 1.25
times the price of input for five minutes, 2 times for an hour (--cache-write-hour none: no price), and 0.1 times for
reads; of a tier, of its own price of input. A tier holds for all tokens of a request whose input is above its threshold. Factors multiply the prices of
tokens, and each other. What has no price is refused: requests that ask for such a speed, region or tool. Setting a model
again sets everything anew, also what is not given, and enables it. Calls under way keep their prices.`;

interface SetOptions extends PriceOptions {
  name: string;
  maxOutput?: number;
  maxInput?: number;
  lifecycle?: ModelFacts["lifecycle"];
  capabilities?: NonNullable<ModelFacts["capabilities"]>;
  alias?: readonly string[];
}

/** `model set|list|suggest|disable`. */
export function addModelCommands(program: Command, run: Run): void {
  const group = addGroup(program, "model", "the upstream's models that calls may name, with their prices");
  addSet(group, run);

  addCommand(group, "list", "all models with their prices, by id", [
    "model list",
    "model list --json",
  ]).action(() => run(async ({ models }) => modelList(await models.list())));

  addCommand(
    group,
    "suggest",
    'show the "model set" that a public list of the vendor\'s prices comes to; changes nothing',
    ["model suggest large-1"],
  )
    .argument("<model-id>", "the vendor's id of the model", modelId)
    .action((id: string) => run(() => suggestPrices(id)));

  addCommand(
    group,
    "disable",
    'refuse calls that name a model, from within a second on; "model set" takes it back',
    ["model disable large-1"],
  )
    .argument("<model-id>", "the model's id", modelId)
    .action((id: string) => run(async ({ models }) => modelReport(await models.disable(id))));
}

function addSet(group: Command, run: Run): void {
  addCommand(group, "set", "offer a model of the upstream, or set its name and prices anew", [
    'model set large-1 --name "Large 1" --input 3.00 --output 15.00',
    'model set small-1 --name "Small 1" --input 1 --output 5 --cache-read 0.08 --max-output 64000',
    'model set large-2 --name "Large 2" --input 5 --output 25 --speed fast=6 --inference-geo us=1.1 --tool web_search=0.01',
    'model set large-0 --name "Large 0" --input 3 --output 15 --tier 200000:input=6,output=22.50',
  ])
    .argument("<model-id>", "what calls and the upstream name it by", modelId)
    .requiredOption("--name <name>", "what people read", text)
    .requiredOption("--input <usd>", "the price of input tokens", amount)
    .requiredOption("--output <usd>", "the price of output tokens", amount)
    .option("--cache-write <usd>", "of input that is written into the prompt cache for five minutes", amount)
    .option("--cache-write-hour <usd>", 'the same for an hour, or "none"', amountOrNone)
    .option("--cache-read <usd>", "of input that is read from the prompt cache", amount)
    .option("--tier <tokens:prices>", "prices above so much input; for each tier", tiers)
    .option("--speed <value=factor>", "what a speed multiplies the prices of tokens by; for each", factors)
    .option("--inference-geo <value=factor>", "the same for a region", factors)
    .option("--service-tier <value=factor>", "the same for a service tier", factors)
    .option(
      "--tool <name=usd>",
      "the price of one use of web_search or web_fetch, which the upstream runs; for each",
      toolPrices,
    )
    .option(
      "--max-output <number>",
      "the most output tokens that it gives in one call",
      wholeNumber(1, MAX_OUTPUT_TOKENS),
    )
    .option(
      "--max-input <number>",
      "the most input tokens that it takes, and a call is held for",
      wholeNumber(1, MAX_INPUT_TOKENS),
    )
    .addOption(new Option("--lifecycle <stage>", "whether it is there to stay").choices(LIFECYCLES))
    .option(
      "--capabilities <json>",
      "what it can do: the object that the vendor's list of models has",
      jsonObject,
    )
    .option("--alias <id>", "another id that programs ask for it by; for each", aliases)
    .addHelpText("after", `\n${ABOUT_PRICES}`)
    .action((id: string, options: SetOptions) =>
      run(async ({ models }) => modelReport(await models.set(settingsOf(id, options)))),
    );
}

function settingsOf(id: string, { name, maxOutput, ...options }: SetOptions): ModelSettings {
  return {
    ...{ modelId: id, name, prices: pricesOf(options), maxOutputTokens: maxOutput ?? null },
    facts: {
      lifecycle: options.lifecycle ?? NO_FACTS.lifecycle,
      maxInputTokens: options.maxInput ?? null,
      capabilities: options.capabilities ?? null,
      aliases: options.alias ?? [],
    },
  };
}

/** Each time that the option is given. */
function aliases(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, modelId(text)];
}

function jsonObject(text: string): NonNullable<ModelFacts["capabilities"]> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // It is told below.
  }
  throw new InvalidArgumentError('Write a JSON object, such as {"image_input": {"supported": true}}.');
}

function modelId(id: string): string {
  if (isModelId(id)) return id;
  throw new InvalidArgumentError(
    "A model's id has 1 to 128 letters, digits and . _ : @ / -, the first a letter or digit.",
  );
}

function modelReport(model: Model): Report {
  const json = modelJson(model);
  const text = details({
    Model: json.modelId,
    Name: json.name,
    Enabled: yesOrNo(json.enabled),
    "Input USD per million": json.input,
    "Output USD per million": json.output,
    "Cache write USD per million": json.cacheWrite,
    "Cache write for an hour USD per million": json.cacheWriteHour,
    "Cache read USD per million": json.cacheRead,
    "Further prices": furtherPricesText(json),
    "Most output tokens": json.maxOutput,
    "Most input tokens": json.maxInput,
    Lifecycle: json.lifecycle,
    Aliases: json.aliases.join(" ") || null,
    Capabilities: json.capabilities === null ? null : JSON.stringify(json.capabilities),
    Created: json.createdAt,
  });
  return { json, text };
}

function modelList(models: readonly Model[]): Report {
  const json = models.map(modelJson);
  const rows = json.map((model) => [
    model.modelId,
    model.name,
    yesOrNo(model.enabled),
    model.input,
    model.output,
    model.cacheWrite,
    model.cacheWriteHour,
    model.cacheRead,
    model.maxOutput,
    furtherPricesText(model),
  ]);
  const headings = [
    "Model",
    "Name",
    "Enabled",
    ">Input USD",
    ">Output USD",
    ">Cache write USD",
    ">For an hour USD",
    ">Cache read USD",
    ">Most output",
    "Further prices",
  ];
  return { json, text: table(headings, rows, "There are no models yet: no call can be made.") };
}

function modelJson({
  modelId,
  name,
  enabled,
  prices,
  maxOutputTokens,
  createdAtMs,
  facts = NO_FACTS,
}: Model) {
  const { maxInputTokens: maxInput, lifecycle, aliases, capabilities } = facts;
  return {
    modelId,
    name,
    enabled,
    ...pricesJson(prices),
    maxOutput: maxOutputTokens,
    ...{ maxInput, lifecycle, aliases, capabilities: capabilities as JsonValue },
    createdAt: isoTime(createdAtMs),
  };
}

function yesOrNo(value: boolean): string {
  return value ? "yes" : "no";
}
