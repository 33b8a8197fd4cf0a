import { type Command, InvalidArgumentError } from "commander";
import {
  isModelId,
  MAX_OUTPUT_TOKENS,
  type Model,
  type ModelSettings,
  type TokenPrices,
} from "../models/model.ts";
import { formatExactUsd, type Microcents, microcents } from "../money/microcents.ts";
import { amount, text, wholeNumber } from "./arguments.ts";
import { addCommand, addGroup, type Run } from "./command.ts";
import { details, isoTime, type Report, table } from "./report.ts";

// What the vendor of the interface asks for its prompt cache, in hundredths of the price of input.
const CACHE_WRITE_PERCENT = 125n;
const CACHE_READ_PERCENT = 10n;

const ABOUT_PRICES = `Prices are USD per million tokens. Where --cache-write and --cache-read are not given they are the vendor's customary
1.25 times and 0.1 times the price of input. Setting a model again sets everything anew, also what is not given, and
enables it. Calls under way keep their prices.`;

interface SetOptions {
  name: string;
  input: Microcents;
  output: Microcents;
  cacheWrite?: Microcents;
  cacheRead?: Microcents;
  maxOutput?: number;
}

/** `model set|list|disable`. */
export function addModelCommands(program: Command, run: Run): void {
  const group = addGroup(program, "model", "the upstream's models that calls may name, with their prices");
  addSet(group, run);

  addCommand(group, "list", "all models with their prices, by id", [
    "model list",
    "model list --json",
  ]).action(() => run(async ({ models }) => modelList(await models.list())));

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
  ])
    .argument("<model-id>", "what calls and the upstream name it by", modelId)
    .requiredOption("--name <name>", "what people read", text)
    .requiredOption("--input <usd>", "the price of input tokens", amount)
    .requiredOption("--output <usd>", "the price of output tokens", amount)
    .option("--cache-write <usd>", "of input that is written into the prompt cache", amount)
    .option("--cache-read <usd>", "of input that is read from the prompt cache", amount)
    .option(
      "--max-output <number>",
      "the most output tokens that it gives in one call",
      wholeNumber(1, MAX_OUTPUT_TOKENS),
    )
    .addHelpText("after", `\n${ABOUT_PRICES}`)
    .action((id: string, options: SetOptions) =>
      run(async ({ models }) => modelReport(await models.set(settingsOf(id, options)))),
    );
}

function settingsOf(id: string, { name, maxOutput, ...options }: SetOptions): ModelSettings {
  return { modelId: id, name, prices: pricesOf(options), maxOutputTokens: maxOutput ?? null };
}

function pricesOf({
  input,
  output,
  cacheWrite,
  cacheRead,
}: Omit<SetOptions, "name" | "maxOutput">): TokenPrices {
  return {
    inputMicrocents: input,
    outputMicrocents: output,
    cacheWriteMicrocents: cacheWrite ?? percentOf(input, CACHE_WRITE_PERCENT),
    cacheReadMicrocents: cacheRead ?? percentOf(input, CACHE_READ_PERCENT),
  };
}

// Exact: an amount that was typed has at most 4 decimals of the 8 that microcents have.
function percentOf(price: Microcents, percent: bigint): Microcents {
  return microcents((price * percent) / 100n);
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
    "Cache read USD per million": json.cacheRead,
    "Most output tokens": json.maxOutput,
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
    model.cacheRead,
    model.maxOutput,
  ]);
  const headings = [
    "Model",
    "Name",
    "Enabled",
    ">Input USD",
    ">Output USD",
    ">Cache write USD",
    ">Cache read USD",
    ">Most output",
  ];
  return { json, text: table(headings, rows, "There are no models yet: no call can be made.") };
}

function modelJson({ modelId, name, enabled, prices, maxOutputTokens, createdAtMs }: Model) {
  return {
    modelId,
    name,
    enabled,
    input: formatExactUsd(prices.inputMicrocents),
    output: formatExactUsd(prices.outputMicrocents),
    cacheWrite: formatExactUsd(prices.cacheWriteMicrocents),
    cacheRead: formatExactUsd(prices.cacheReadMicrocents),
    maxOutput: maxOutputTokens,
    createdAt: isoTime(createdAtMs),
  };
}

function yesOrNo(value: boolean): string {
  return value ? "yes" : "no";
}
