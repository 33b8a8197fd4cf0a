import { InvalidInputError } from "../errors.ts";
import { checkFacts, type ModelFacts } from "./facts.ts";
import { checkPrices, type ModelPrices } from "./prices.ts";

/** A model of the upstream that calls may name, with its prices. */
export interface Model {
  /** What calls name it by, at the upstream too. */
  readonly modelId: string;
  readonly name: string;
  readonly prices: ModelPrices;
  /** The most output tokens that the upstream gives in one call; null when the operator has set none. */
  readonly maxOutputTokens: number | null;
  /** Absent: nothing is known. */
  readonly facts?: ModelFacts;
  /** Whether calls may name it. */
  readonly enabled: boolean;
  readonly createdAtMs: number;
}

/** A model as an operator sets it. */
export type ModelSettings = Pick<Model, "modelId" | "name" | "prices" | "maxOutputTokens" | "facts">;

/** The most output tokens that a model can be said to give. */
export const MAX_OUTPUT_TOKENS = 100_000_000;

const MODEL_ID = /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,127}$/;
const MAX_NAME_LENGTH = 200;

/** Whether a text can be a model's id: 1 to 128 letters, digits and `. _ : @ / -`, the first a letter or digit. */
export function isModelId(text: string): boolean {
  return MODEL_ID.test(text);
}

/** @throws {InvalidInputError} a property is not acceptable. */
export function checkModel({ modelId, name, prices, maxOutputTokens, facts }: ModelSettings): void {
  if (!isModelId(modelId)) {
    throw new InvalidInputError(
      "A model's id has 1 to 128 letters, digits and . _ : @ / -, the first a letter or digit.",
    );
  }
  if (name.trim() === "" || name.length > MAX_NAME_LENGTH) {
    throw new InvalidInputError(`A model's name has 1 to ${MAX_NAME_LENGTH} characters.`);
  }
  checkPrices(prices);
  if (facts !== undefined) checkFacts(facts, isModelId);
  if (maxOutputTokens !== null && !isWithin(maxOutputTokens, 1, MAX_OUTPUT_TOKENS)) {
    throw new InvalidInputError(`The most output tokens are a whole number from 1 to ${MAX_OUTPUT_TOKENS}.`);
  }
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
