import fc from "fast-check";
import type { JsonType, PlainSchema, Schema, Schemas } from "./schema.ts";

/** How values are made. */
export interface ValueOptions {
  readonly schemas: Schemas;
  /** Which texts there may be: "plain" ones have no NUL; none has a lone surrogate. */
  readonly text: "plain" | "any";
  /** By the names of schemas and of fields. */
  readonly known: Readonly<Record<string, KnownValues>>;
}

/** Values that mean something to the running shop. */
export interface KnownValues {
  readonly values: readonly unknown[];
  /** How often one of them is taken; otherwise one is made up. */
  readonly percent: number;
}

const MAX_ITEMS = 3;
const USUAL_LENGTH = 40;
const MAX_INTEGER = Number.MAX_SAFE_INTEGER;
/** What has upset programs before. */
const AWKWARD =
  "__proto__|constructor|toString|null|%|%00|%2e|..|a b|a |A|é|😀|ǆ|ß|\"|\\|'|--|\n|\u202e|\ufeff|0".split(
    "|",
  );
const TYPES: readonly JsonType[] = ["string", "integer", "number", "boolean", "null", "object", "array"];

/** Values that fit a schema. @throws when it has a keyword that this module does not know. */
export function valuesOf(schema: Schema, options: ValueOptions): fc.Arbitrary<unknown> {
  const plain = options.schemas.plain(schema);
  return orKnown(options.known[plain.name ?? ""], madeUp(plain, options));
}

/** Known values, where there are any, among those that are made up. */
export function orKnown(known: KnownValues | undefined, made: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  if (known === undefined) return made;
  return fc.oneof(
    { arbitrary: fc.constantFrom(...known.values), weight: known.percent },
    { arbitrary: made, weight: 100 - known.percent },
  );
}

/** Any JSON value, not deep. */
export function anyJson(text: ValueOptions["text"]): fc.Arbitrary<unknown> {
  const names = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom("__proto__", "constructor", "type"));
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.constantFrom(null, false, true),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      texts(text, 0, USUAL_LENGTH),
      fc.array(tie("json"), { maxLength: MAX_ITEMS }),
      fc.dictionary(names, tie("json"), { maxKeys: MAX_ITEMS, noNullPrototype: true }),
    ),
  }));
  return json;
}

/** Texts of so many code points. */
export function texts(kind: ValueOptions["text"], min: number, max: number): fc.Arbitrary<string> {
  const binary = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });
  const unit = kind === "plain" ? binary.filter((letter) => letter !== "\0") : binary;
  const awkward = AWKWARD.filter((text) => [...text].length >= min && [...text].length <= max);
  const usual = Math.max(min, Math.min(max, USUAL_LENGTH));
  return fc.oneof(
    { arbitrary: fc.string({ minLength: min, maxLength: usual }), weight: 4 },
    { arbitrary: fc.string({ unit, minLength: min, maxLength: usual }), weight: 4 },
    { arbitrary: fc.string({ unit, minLength: min, maxLength: min }), weight: 1 },
    { arbitrary: max === Infinity ? fc.constant("x".repeat(min)) : lengthOf(max), weight: 1 },
    ...(awkward.length > 0 ? [{ arbitrary: fc.constantFrom(...awkward), weight: 2 }] : []),
  );
}

/** Texts of exactly that length, some of them with letters that take two units of UTF-16. */
export function lengthOf(length: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom("x", "é", "😀"), fc.constantFrom("x", "é", "😀"))
    .map(([first, others]) => (length === 0 ? "" : first + others.repeat(length - 1)));
}

function madeUp(schema: PlainSchema, options: ValueOptions): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined)
    return fc.oneof(...alternatives.map((alternative) => valuesOf(alternative, options)));
  if (schema.types.length === 0) return anyJson(options.text);
  return fc.oneof(...schema.types.map((type) => ofType(type, schema, options)));
}

/** Values of one of the types that a schema allows. */
export function ofType(type: JsonType, schema: PlainSchema, options: ValueOptions): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return integers(schema);
    case "number":
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        ...(schema.minimum !== undefined && { min: schema.minimum }),
        ...(schema.maximum !== undefined && { max: schema.maximum }),
      });
    case "string":
      return stringsOf(schema, options);
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, options), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? Infinity, Math.max(MAX_ITEMS, schema.minItems ?? 0)),
      });
    case "object":
      return objectsOf(schema, options);
  }
}

function integers({ minimum = -MAX_INTEGER, maximum = MAX_INTEGER }: PlainSchema) {
  const [min, max] = [Math.ceil(minimum), Math.floor(maximum)];
  return fc.oneof(
    { arbitrary: fc.integer({ min, max }), weight: 4 },
    { arbitrary: fc.integer({ min, max: Math.min(max, min + 10) }), weight: 4 },
    { arbitrary: fc.constantFrom(min, max), weight: 1 },
  );
}

function stringsOf(schema: PlainSchema, options: ValueOptions): fc.Arbitrary<string> {
  const { minLength: min = 0, maxLength: max = Infinity, pattern, format } = schema;
  const fits = (text: string) => [...text].length >= min && [...text].length <= max;
  if (format === "uri") return fc.webUrl().filter(fits);
  if (format === "date-time") {
    const [from, to] = [new Date("1970-01-01T00:00:00Z"), new Date("9999-12-31T23:59:59Z")];
    return fc.date({ min: from, max: to, noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (pattern === undefined) return texts(options.text, min, max);
  return fc.stringMatching(new RegExp(pattern, "u"), { maxLength: Math.min(max, 100) }).filter(fits);
}

function objectsOf(schema: PlainSchema, options: ValueOptions): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties = true, minProperties = 0 } = schema;
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    orKnown(options.known[name], valuesOf(field, options)),
  ]);
  for (const name of required) {
    if (!(name in properties)) fields.push([name, anyJson(options.text)]);
  }
  const described = fc
    .record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: [...required],
      noNullPrototype: true,
    })
    .filter((value) => Object.keys(value).length >= minProperties);
  if (additionalProperties === false) return described;
  const others = fc.dictionary(
    texts(options.text, 1, 12).filter((name) => !Object.hasOwn(properties, name) && !required.includes(name)),
    additionalProperties === true ? anyJson(options.text) : valuesOf(additionalProperties, options),
    { maxKeys: 2, noNullPrototype: true },
  );
  return fc.oneof(
    { arbitrary: described, weight: 2 },
    { arbitrary: fc.tuple(described, others).map(([own, extra]) => ({ ...own, ...extra })), weight: 1 },
  );
}

/** Values of every type but those. */
export function ofOtherTypes(types: readonly JsonType[], text: ValueOptions["text"]): fc.Arbitrary<unknown> {
  const allowed = new Set<JsonType>(types.includes("number") ? [...types, "integer"] : types);
  const others = TYPES.filter((type) => !allowed.has(type) && !(type === "number" && allowed.has("integer")));
  return fc.oneof(
    ...others.map((type) => ofType(type, { name: null, types: [type] }, { schemas, text, known: {} })),
  );
}

/** Values of other types follow no reference. */
const schemas: Schemas = {
  plain: (schema) => ({ ...schema, name: null, types: [] }),
};
