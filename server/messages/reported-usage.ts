import {
  type FurtherUsage,
  type Iteration,
  NOTHING_FURTHER,
  type TokenCounts,
  type TokenUsage,
} from "../calls/token-usage.ts";

/** More than any answer has; what is above it is no count. */
const MAX_COUNT = 1_000_000_000;
/** More runs of models than any answer takes. */
const MAX_ITERATIONS = 1_000;
const MAX_UNKNOWN = 20;
const NAME = /^[a-z][a-z0-9_]{0,51}$/;
const TYPE = /^[a-z][a-z0-9_]{0,31}$/;
const TERM = /^[A-Za-z0-9._-]{1,32}$/;
const UNUSUAL = /[^A-Za-z0-9._:@/-]/g;
const MAX_MODEL_ID = 128;
const USES = "_requests";

/** Of the names in a usage, those whose values are read by themselves, or are parts of others that are. */
const KNOWN = new Set([
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "output_tokens_details",
  "cache_creation",
  "server_tool_use",
  "speed",
  "inference_geo",
  "service_tier",
  "iterations",
]);
const TERMS = ["speed", "inference_geo", "service_tier"] as const;
const KNOWN_WRITES = new Set(["ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"]);
const KNOWN_OF_ITERATIONS = new Set([...KNOWN, "type", "model"]);

type Fields = Readonly<Record<string, unknown>>;

/**
 * The usage with what is told in place of what was there, counter by counter; null when nothing is told. What is absent or
 * null leaves what was there. Counters that are not known and not zero are named in `further.unknown`.
 */
export function withReported(before: TokenUsage, reported: unknown): TokenUsage | null {
  if (!isTold(reported)) return null;
  if (!isObject(reported)) return withUnknown(before, "usage");
  const counts = countsOf(reported);
  const further = withFurther(before, reported);
  const isNew = Object.values(counts).some((count) => count !== null) || further !== before.further;
  if (!isNew) return null;
  const usage = {
    inputTokens: counts.inputTokens ?? before.inputTokens,
    outputTokens: counts.outputTokens ?? before.outputTokens,
    cacheWriteTokens: counts.cacheWriteTokens ?? before.cacheWriteTokens,
    cacheReadTokens: counts.cacheReadTokens ?? before.cacheReadTokens,
  };
  return further === undefined ? usage : { ...usage, further };
}

/** What is charged by its tokens; a count that is told and cannot be read is as one that is not known. */
const TOKEN_COUNTERS = [
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
] as const;

/** Whether a usage tells any count of tokens, one that can be read or another. */
export function tellsTokens(usage: unknown): boolean {
  if (!isObject(usage)) return isTold(usage);
  return TOKEN_COUNTERS.some((name) => isTold(usage[name]));
}

/** A count of tokens that a usage tells under a name; null: none. */
export function countOf(usage: unknown, name: string): number | null {
  if (!isObject(usage)) return null;
  const count = usage[name];
  return Number.isInteger(count) && (count as number) >= 0 && (count as number) <= MAX_COUNT
    ? (count as number)
    : null;
}

function countsOf(usage: Fields): Readonly<Record<keyof TokenCounts, number | null>> {
  return {
    inputTokens: countOf(usage, "input_tokens"),
    outputTokens: countOf(usage, "output_tokens"),
    cacheWriteTokens: countOf(usage, "cache_creation_input_tokens"),
    cacheReadTokens: countOf(usage, "cache_read_input_tokens"),
  };
}

function withFurther({ further: before = NOTHING_FURTHER, ...counts }: TokenUsage, usage: Fields) {
  const hourTokens = hourTokensOf(usage, { ...counts, further: before });
  const after: FurtherUsage = {
    cacheWriteHourTokens: hourTokens,
    toolUses: toolUsesOf(usage.server_tool_use, before.toolUses),
    speed: termOf(usage.speed) ?? before.speed,
    inferenceGeo: termOf(usage.inference_geo) ?? before.inferenceGeo,
    // What is standard is not asked for by name, so that there is nothing for it to take the place of.
    serviceTier: withoutStandard(termOf(usage.service_tier) ?? before.serviceTier),
    iterations: Array.isArray(usage.iterations) ? iterationsOf(usage.iterations) : before.iterations,
    unknown: unknownOf(usage, before.unknown),
  };
  return isNothing(after) ? undefined : after;
}

/**
 * The cache writes that are for an hour. An end that tells only the sum leaves open what of it is for how long; when all that
 * was told before was for an hour, all of it is.
 */
function hourTokensOf(usage: Fields, { cacheWriteTokens, further }: TokenUsage): number {
  const before = further?.cacheWriteHourTokens ?? 0;
  const told = countOf(usage.cache_creation, "ephemeral_1h_input_tokens");
  if (told !== null) return told;
  const all = countOf(usage, "cache_creation_input_tokens");
  return all !== null && before > 0 && before === cacheWriteTokens ? all : before;
}

function toolUsesOf(told: unknown, before: FurtherUsage["toolUses"]): FurtherUsage["toolUses"] {
  if (!isObject(told)) return before;
  let uses = before;
  for (const name of Object.keys(told)) {
    const tool = name.endsWith(USES) ? name.slice(0, -USES.length) : "";
    const count = countOf(told, name);
    if (!NAME.test(tool) || count === null || count === (uses[tool] ?? 0)) continue;
    uses = { ...uses, [tool]: count };
  }
  return uses;
}

function iterationsOf(told: readonly unknown[]): readonly Iteration[] {
  return told.slice(0, MAX_ITERATIONS).filter(isObject).map(iterationOf);
}

function iterationOf(told: Fields): Iteration {
  const { inputTokens, outputTokens, cacheWriteTokens, cacheReadTokens } = countsOf(told);
  return {
    type: typeof told.type === "string" && TYPE.test(told.type) ? told.type : "unknown",
    modelId:
      typeof told.model === "string" ? told.model.replaceAll(UNUSUAL, "?").slice(0, MAX_MODEL_ID) : null,
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cacheWriteTokens: cacheWriteTokens ?? 0,
    cacheReadTokens: cacheReadTokens ?? 0,
    cacheWriteHourTokens: countOf(told.cache_creation, "ephemeral_1h_input_tokens") ?? 0,
  };
}

function unknownOf(usage: Fields, before: readonly string[]): readonly string[] {
  const names = new Set(before);
  addUnknownCounts(usage, KNOWN, "", names);
  for (const name of TERMS) if (isTold(usage[name]) && termOf(usage[name]) === null) names.add(name);
  const uses = usage.server_tool_use;
  if (isObject(uses)) {
    const known = Object.keys(uses).filter((name) => name.endsWith(USES));
    addUnreadable(uses, known, "server_tool_use.", names);
    addUnknown(uses, new Set(known), "server_tool_use.", names);
  } else if (isTold(uses)) names.add("server_tool_use");
  const { iterations } = usage;
  if (Array.isArray(iterations)) {
    if (iterations.length > MAX_ITERATIONS || !iterations.every(isObject)) names.add("iterations");
    for (const one of iterations) addUnknownCounts(one, KNOWN_OF_ITERATIONS, "iterations.", names);
  } else if (isTold(iterations)) names.add("iterations");
  if (names.size === before.length) return before;
  return [...names].slice(0, MAX_UNKNOWN);
}

/** Of a whole usage, or of one iteration. */
function addUnknownCounts(
  usage: unknown,
  known: ReadonlySet<string>,
  prefix: string,
  names: Set<string>,
): void {
  if (!isObject(usage)) return;
  addUnknown(usage, known, prefix, names);
  addUnreadable(usage, TOKEN_COUNTERS, prefix, names);
  const writes = usage.cache_creation;
  if (isObject(writes)) {
    addUnreadable(writes, KNOWN_WRITES, `${prefix}cache_creation.`, names);
    addUnknown(writes, KNOWN_WRITES, `${prefix}cache_creation.`, names);
  } else if (isTold(writes)) names.add(`${prefix}cache_creation`);
}

/** Adds the names of counts that are told and cannot be read. */
function addUnreadable(told: Fields, known: Iterable<string>, prefix: string, names: Set<string>): void {
  for (const name of known) {
    if (isTold(told[name]) && countOf(told, name) === null) names.add(prefix + shown(name));
  }
}

/** Adds the names below which there is a number that is not zero, of those that are not known. */
function addUnknown(told: unknown, known: ReadonlySet<string>, prefix: string, names: Set<string>): void {
  if (!isObject(told)) return;
  for (const name of Object.keys(told)) {
    if (!known.has(name) && hasNumber(told[name])) names.add(prefix + shown(name));
  }
}

function shown(name: string): string {
  return name.replaceAll(/[^\w.-]/g, "?");
}

function isTold(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function hasNumber(told: unknown, depth = 0): boolean {
  if (typeof told === "number") return told !== 0;
  if (typeof told !== "object" || told === null || depth > 4) return false;
  return Object.values(told).some((inner) => hasNumber(inner, depth + 1));
}

function termOf(told: unknown): string | null {
  return typeof told === "string" && TERM.test(told) ? told : null;
}

function withoutStandard(term: string | null): string | null {
  return term === "standard" ? null : term;
}

function withUnknown(before: TokenUsage, name: string): TokenUsage {
  const further = before.further ?? NOTHING_FURTHER;
  return { ...before, further: { ...further, unknown: [...new Set([...further.unknown, name])] } };
}

function isNothing(usage: FurtherUsage): boolean {
  return (
    usage.cacheWriteHourTokens === 0 &&
    usage.speed === null &&
    usage.inferenceGeo === null &&
    usage.serviceTier === null &&
    usage.iterations.length === 0 &&
    usage.unknown.length === 0 &&
    Object.keys(usage.toolUses).length === 0
  );
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
