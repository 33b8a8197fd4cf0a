import { type Difference, isObject, type ResolvedDocument } from "./differences.ts";

/** Who is bound by a schema: what buyers send, or what the service answers. */
export type Side = "request" | "answer";

/** Whether programs of buyers may fail after a change, go on as before, or can only read about it. */
export type Effect = "breaking" | "compatible" | "wording";

/** What a change means, in words. */
export interface Judgement {
  readonly effect: Effect;
  /** A sentence without a full stop at its end. */
  readonly text: string;
}

/** Where in two documents a difference of a schema is. */
export interface SchemaPlace {
  readonly side: Side;
  readonly before: unknown;
  readonly after: unknown;
  /** Keys from these schemas to what differs. */
  readonly path: readonly string[];
  /** What the schema is of, where it has no name. */
  readonly name: string;
}

type Documents = { readonly before: ResolvedDocument; readonly after: ResolvedDocument };

/** How the values that a schema allows have changed. */
type Shift = "narrower" | "wider" | "other";

const WORDING = new Set(["description", "title", "example", "examples", "externalDocs", "$comment"]);
const UPPER_BOUNDS = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]);
const LOWER_BOUNDS = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]);
const RESTRICTIONS = new Set([
  "pattern",
  "format",
  "const",
  "multipleOf",
  "uniqueItems",
  "items",
  "anyOf",
  "oneOf",
]);

/**
 * Judges a difference of a schema. A request may only come to allow more, an answer may only come to promise more; new
 * fields of answers are the exception, which programs ignore. What is not understood counts as breaking.
 */
export function judgeSchema(place: SchemaPlace, difference: Difference, documents: Documents): Judgement {
  const { subject, before, after, rest } = descend(place, documents);
  const [keyword = "", ...more] = rest;
  const spot = { side: place.side, subject, before, after };
  if (WORDING.has(keyword) || keyword.startsWith("x-"))
    return { effect: "wording", text: `\`${subject}\`: ${keyword} reads differently` };
  if (keyword === "deprecated") return judgeDeprecation(`\`${subject}\``, difference);
  if (keyword === "default") return judgeDefault(spot, difference);
  if (keyword === "properties" && more[0] !== undefined) return judgeField(spot, more[0], difference);
  if (keyword === "required") return judgeRequired(spot, difference);
  if (keyword === "additionalProperties") return judgeUnknownFields(spot);
  if (keyword === "enum") return judgeValues(spot);
  if (keyword === "type") return judgeTypes(spot);
  if (["anyOf", "oneOf", "allOf"].includes(keyword) && more.length === 1)
    return judgeAlternative(spot, keyword, difference);
  const isOldRule =
    (keyword === "format" && isOnlyWidth(after)) || (keyword === "pattern" && difference.after === NO_NUL);
  if (difference.action === "add" && isOldRule)
    return { effect: "compatible", text: `\`${subject}\`: ${tellValues(keyword, difference)}` };
  const shift = shiftOf(keyword, difference);
  return { effect: effectOf(spot.side, shift), text: `\`${subject}\`: ${tellValues(keyword, difference)}` };
}

/** What buyers should stop to use goes on as it did, and they want to know of it. */
export function judgeDeprecation(subject: string, { after }: Difference): Judgement {
  return {
    effect: "compatible",
    text: `${subject} is ${after === true ? "deprecated" : "not deprecated any more"}`,
  };
}

interface Spot {
  readonly side: Side;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Goes down to the innermost schema that both documents have. */
function descend({ before, after, path, name }: SchemaPlace, documents: Documents) {
  let spot = { subject: name, before, after, rest: path };
  const rename = () => {
    if (!isObject(spot.before) || !isObject(spot.after)) return;
    const schemaName = documents.before.schemaNames.get(spot.before);
    if (schemaName !== undefined && schemaName === documents.after.schemaNames.get(spot.after))
      spot = { ...spot, subject: schemaName };
  };
  rename();
  for (;;) {
    const [keyword = "", key = ""] = spot.rest;
    const length = keyword === "items" || keyword === "additionalProperties" ? 1 : 2;
    if (!["properties", "items", "additionalProperties", "anyOf", "oneOf", "allOf"].includes(keyword)) break;
    if (spot.rest.length <= length) break;
    const step = (schema: unknown) => {
      const inner = (schema as Record<string, Record<string, unknown>> | undefined)?.[keyword];
      return length === 1 ? inner : inner?.[key];
    };
    const suffix = { properties: `.${key}`, items: "[]", additionalProperties: ".*" }[keyword] ?? "";
    spot = {
      subject: `${spot.subject}${suffix}`,
      before: step(spot.before),
      after: step(spot.after),
      rest: spot.rest.slice(length),
    };
    rename();
  }
  return spot;
}

function effectOf(side: Side, shift: Shift): Effect {
  const harmless = side === "request" ? "wider" : "narrower";
  return shift === harmless ? "compatible" : "breaking";
}

function judgeField({ side, subject, before, after }: Spot, name: string, { action }: Difference): Judgement {
  const field = `\`${subject}.${name}\``;
  if (action === "remove") {
    const refused = side === "answer" || keywordOf(before, "additionalProperties") === false;
    return { effect: refused ? "breaking" : "compatible", text: `${field} is gone` };
  }
  const isRequired = listOf(after, "required").includes(name);
  if (!isRequired) return { effect: "compatible", text: `${field} is new and may be missing` };
  return { effect: side === "request" ? "breaking" : "compatible", text: `${field} is new and required` };
}

function judgeRequired({ side, subject, before, after }: Spot, { action, ...values }: Difference): Judgement {
  const name = String(action === "remove" ? values.before : values.after);
  const field = `\`${subject}.${name}\``;
  const fields = [before, after].map((schema) => keywordOf(schema, "properties"));
  // Told as the field that is new or gone.
  if (fields.some((properties) => isObject(properties) && !(name in properties)))
    return { effect: "wording", text: `${field}: required reads differently` };
  return action === "remove"
    ? { effect: effectOf(side, "wider"), text: `${field} may be missing now` }
    : { effect: effectOf(side, "narrower"), text: `${field} is required now` };
}

function judgeUnknownFields({ side, subject, before, after }: Spot): Judgement {
  const wasOpen = keywordOf(before, "additionalProperties") !== false;
  const isOpen = keywordOf(after, "additionalProperties") !== false;
  const text = `\`${subject}\` ${isOpen ? "may have" : "has no"} fields that the contract does not name`;
  if (wasOpen === isOpen)
    return { effect: "breaking", text: `\`${subject}\`: the rule for unknown fields differs` };
  return { effect: isOpen || side === "answer" ? "compatible" : "breaking", text };
}

function judgeValues({ side, subject, before, after }: Spot): Judgement {
  const [old, now] = [before, after].map((schema) => keywordOf(schema, "enum") as unknown[] | undefined);
  if (old === undefined)
    return { effect: effectOf(side, "narrower"), text: `\`${subject}\` is one of ${listValues(now)} now` };
  if (now === undefined)
    return { effect: effectOf(side, "wider"), text: `\`${subject}\` is no longer one of ${listValues(old)}` };
  const gone = old.filter((value) => !now.includes(value));
  const added = now.filter((value) => !old.includes(value));
  const parts = [
    ...(gone.length > 0 ? [`no longer has ${listValues(gone)}`] : []),
    ...(added.length > 0 ? [`has the new value ${listValues(added)}`] : []),
  ];
  return { effect: effectOf(side, shiftOfSets(gone, added)), text: `\`${subject}\` ${parts.join(" and ")}` };
}

function judgeTypes({ side, subject, before, after }: Spot): Judgement {
  const [old = [], now = []] = [before, after].map((schema) => listOf(schema, "type"));
  const allows = (types: unknown[], type: unknown) =>
    types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"));
  const gone = old.length === 0 ? now : old.filter((type) => !allows(now, type));
  const added = now.length === 0 ? old : now.filter((type) => !allows(old, type));
  const shift = old.length === 0 ? "narrower" : now.length === 0 ? "wider" : shiftOfSets(gone, added);
  const tell = (types: unknown[]) => (types.length === 0 ? "anything" : types.join(" or "));
  return { effect: effectOf(side, shift), text: `\`${subject}\` was ${tell(old)}, is ${tell(now)} now` };
}

function judgeAlternative({ side, subject }: Spot, keyword: string, { action }: Difference): Judgement {
  const widens = (action === "add") === (keyword !== "allOf");
  const shift = action === "replace" ? "other" : widens ? "wider" : "narrower";
  const what = {
    add: "has one more",
    remove: "has one less",
    replace: "has a different",
    rename: "has a different",
  };
  return { effect: effectOf(side, shift), text: `\`${subject}\` ${what[action]} alternative (${keyword})` };
}

function judgeDefault({ side, subject }: Spot, difference: Difference): Judgement {
  const matters = side === "request" && difference.action !== "add";
  const text = `\`${subject}\`: ${tellValues("default", difference)}`;
  return { effect: matters ? "breaking" : "wording", text };
}

/** The service has refused a NUL in any text of a request from the beginning. */
const NO_NUL = "^[^\\x00]*$";

const LARGEST_INT32 = 2 ** 31 - 1;

/** Whether the format of an integer says no more than its limits do. Beyond 64 bits no program reads an integer of JSON. */
function isOnlyWidth(schema: unknown): boolean {
  const format = keywordOf(schema, "format");
  if (format === "int64") return true;
  const limits = ["minimum", "maximum"].map((limit) => Math.abs(Number(keywordOf(schema, limit))));
  return format === "int32" && limits.every((limit) => limit <= LARGEST_INT32);
}

function shiftOf(keyword: string, { action, before, after }: Difference): Shift {
  const isUpper = UPPER_BOUNDS.has(keyword);
  if (!isUpper && !LOWER_BOUNDS.has(keyword) && !RESTRICTIONS.has(keyword)) return "other";
  if (action === "add") return "narrower";
  if (action === "remove") return "wider";
  if (RESTRICTIONS.has(keyword)) return "other";
  return Number(after) > Number(before) === isUpper ? "wider" : "narrower";
}

function shiftOfSets(gone: unknown[], added: unknown[]): Shift {
  if (gone.length > 0 && added.length > 0) return "other";
  return added.length > 0 ? "wider" : "narrower";
}

function tellValues(keyword: string, { action, before, after }: Difference): string {
  const [old, now] = [before, after].map((value) => (isObject(value) ? "" : ` ${JSON.stringify(value)}`));
  if (action === "add") return `${keyword}${now} is new`;
  if (action === "remove") return `${keyword}${old} is gone`;
  return old && now ? `${keyword} was${old}, is${now} now` : `${keyword} differs`;
}

function listValues(values: unknown[] = []): string {
  return values.map((value) => `\`${value}\``).join(", ");
}

function keywordOf(schema: unknown, keyword: string): unknown {
  return isObject(schema) ? schema[keyword] : undefined;
}

function listOf(schema: unknown, keyword: string): unknown[] {
  const value = keywordOf(schema, keyword);
  return value === undefined ? [] : [value].flat();
}
