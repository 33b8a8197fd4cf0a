import { InvalidInputError } from "../errors.ts";

/** Whether a model is there to stay, or on its way out. */
export const LIFECYCLES = ["active", "deprecated"] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

/** What a model can do, as the vendor's own list of models has it: open, since the vendor adds to it. */
export type Capabilities = Readonly<Record<string, unknown>>;

/** What programs ask about a model beside its name. */
export interface ModelFacts {
  readonly lifecycle: Lifecycle;
  /** How many tokens of input it takes; null: the operator has not said. */
  readonly maxInputTokens: number | null;
  readonly capabilities: Capabilities | null;
  /** Other ids that calls may name it by. */
  readonly aliases: readonly string[];
}

/** Of a model of which the operator has said nothing. */
export const NO_FACTS: ModelFacts = {
  lifecycle: "active",
  maxInputTokens: null,
  capabilities: null,
  aliases: [],
};

export const MAX_INPUT_TOKENS = 1_000_000_000;
const MAX_ALIASES = 32;
const MAX_CAPABILITIES_LENGTH = 16_384;

/** @throws {InvalidInputError} something is not acceptable. @param isModelId whether a text can be a model's id */
export function checkFacts(facts: ModelFacts, isModelId: (text: string) => boolean): void {
  const { maxInputTokens, capabilities, aliases } = facts;
  if (maxInputTokens !== null && !(Number.isInteger(maxInputTokens) && maxInputTokens >= 1)) {
    throw new InvalidInputError(`The most input tokens are a whole number from 1 to ${MAX_INPUT_TOKENS}.`);
  }
  if (capabilities !== null && JSON.stringify(capabilities).length > MAX_CAPABILITIES_LENGTH) {
    throw new InvalidInputError(`Capabilities have at most ${MAX_CAPABILITIES_LENGTH} characters.`);
  }
  if (aliases.length > MAX_ALIASES || !aliases.every(isModelId)) {
    throw new InvalidInputError(`A model has at most ${MAX_ALIASES} aliases, which are written as ids are.`);
  }
}

/** As the database keeps them. */
export function printFacts(facts: ModelFacts): string {
  return JSON.stringify(facts);
}

/** What {@link printFacts} has written, by this release or by one that wrote less. */
export function parseFacts(text: string): ModelFacts {
  return { ...NO_FACTS, ...(JSON.parse(text) as Partial<ModelFacts>) };
}
