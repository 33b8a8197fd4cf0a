import { isAscii } from "node:buffer";
import { InvalidInputError } from "../errors.ts";
import { countedFieldsOf } from "./count-input.ts";
import { ThreadNotOfferedError } from "./errors.ts";
import { bodyOfFields, type FieldPlace, fieldsIn } from "./fields-in-bytes.ts";
import { readFields, readRequest } from "./read-request.ts";
import type { RequestFacts } from "./request-facts.ts";
import { textGrowthOf } from "./text-growth.ts";
import type { SentBody } from "./upstream.ts";

/** What is read of a request later than of its facts, apart from its bytes. */
const READ_LATER = ["model", "max_tokens", "speed", "inference_geo"] as const;

/** More than any model takes: of what is longer it is not looked at by how much it may grow, which would take seconds. */
const MOST_LOOKED_INTO_TOKENS = 4_000_000;

const UNICODE_ESCAPE = "\\u";

/** What is kept of a request that was read in a thread; it may be sent from one to another. */
export interface RequestExtract {
  /** Those of its fields that are read later. */
  readonly json: unknown;
  /** What it asks for, or why that is refused. */
  readonly facts: RequestFacts | Refusal;
  /** By how many bytes its texts may grow; null: so that it may be as long as a model takes. */
  readonly growthBytes: number | null;
  /** Those of its fields that the upstream is asked to count, beside the model. */
  readonly counted: readonly FieldPlace[];
}

/** An `InvalidInputError`, which a thread cannot send. */
interface Refusal {
  readonly refusal: string;
  readonly isOfThread: boolean;
}

/** A request's body with what it says, or with what was kept of that. */
interface ReadableBody extends Pick<SentBody, "length" | "pieces"> {
  readonly json: unknown;
  readonly extract?: RequestExtract | null;
}

/** What is kept of a request. @param json what its bytes say; it fits the contract. */
export function extractOf(json: unknown, bytes: Buffer): RequestExtract {
  const fields = json as Readonly<Record<string, unknown>>;
  const { thinking } = fields as { thinking?: { budget_tokens?: unknown } | null };
  const kept = {
    ...Object.fromEntries(READ_LATER.map((name) => [name, fields[name]])),
    thinking: { budget_tokens: thinking?.budget_tokens },
  };
  const facts = factsOrRefusal(json, bytes.length);
  // Nothing more is read of what is refused.
  if ("refusal" in facts) return { json: kept, facts, growthBytes: null, counted: [] };
  const counted = new Set(countedFieldsOf(json));
  counted.delete("model");
  return {
    json: kept,
    facts,
    growthBytes: bytes.length > MOST_LOOKED_INTO_TOKENS ? null : growthOf(json, bytes),
    counted: fieldsIn(bytes).filter(({ name }) => counted.has(name)),
  };
}

/** By how many bytes the texts may grow; of those without any character beyond ASCII that is known from the bytes. */
function growthOf(json: unknown, bytes: Buffer): number {
  return isAscii(bytes) && !bytes.includes(UNICODE_ESCAPE) ? 0 : textGrowthOf(json);
}

/** What the upstream is asked to count of a request that was read in a thread; null of another. */
export function countedOf({ pieces, extract }: ReadableBody, modelId: string): SentBody | null {
  return extract ? bodyOfFields({ pieces }, extract.counted, modelId) : null;
}

/** As {@link readRequest}, of a body that may have been read in a thread. */
export function factsOf(body: ReadableBody, mostInputTokens: number): RequestFacts {
  const { extract = null } = body;
  if (extract === null) return readRequest(body, body.json, mostInputTokens);
  const { facts, growthBytes } = extract;
  if ("refusal" in facts)
    throw facts.isOfThread ? new ThreadNotOfferedError(facts.refusal) : new InvalidInputError(facts.refusal);
  if (facts.inputTokens >= mostInputTokens) return facts;
  if (growthBytes === null) return { ...facts, inputTokens: mostInputTokens };
  return { ...facts, inputTokens: facts.inputTokens + growthBytes };
}

function factsOrRefusal(json: unknown, lengthBytes: number): RequestFacts | Refusal {
  try {
    return readFields({ length: lengthBytes }, json);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { refusal: error.message, isOfThread: error instanceof ThreadNotOfferedError };
  }
}
