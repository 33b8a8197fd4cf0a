import fc from "fast-check";
import type { PlainSchema, Schema } from "./schema.ts";
import { anyJson, lengthOf, ofOtherTypes, ofType, texts, type ValueOptions, valuesOf } from "./values.ts";

/** One way in which a value breaks a schema in one place and fits it in all others. */
export interface Violation {
  /** Where, as a JSON pointer; "" is the value itself, "/*" an item of a list. */
  readonly place: string;
  /** What is wrong there, in a few words. */
  readonly what: string;
  readonly values: fc.Arbitrary<unknown>;
  /** Whether the schema forbids it, or only what the interface says of texts. */
  readonly bySchema: boolean;
}

const MAX_OVERHANG = 3;

/** Every way to break a schema in one place. @throws when it has a keyword that this module does not know. */
export function violationsOf(schema: Schema, options: ValueOptions): Violation[] {
  const plain = options.schemas.plain(schema);
  const alternatives = plain.anyOf ?? plain.oneOf;
  if (alternatives !== undefined) {
    const types = alternatives.flatMap((alternative) => options.schemas.plain(alternative).types);
    const inside = alternatives.flatMap((alternative) => violationsOf(alternative, options));
    // What breaks one alternative may fit another.
    return [...typeViolations(types, options), ...inside.filter(({ what }) => what !== WRONG_TYPE)];
  }
  const { types } = plain;
  const here: Violation[] = [];
  const add = (what: string, values: fc.Arbitrary<unknown>, bySchema = true) =>
    void here.push({ place: "", what, values, bySchema });
  here.push(...typeViolations(types, options));
  if (plain.const !== undefined || plain.enum !== undefined)
    add("another value", otherValues(plain, options));
  if (types.includes("integer") || types.includes("number")) addNumbers(plain, add);
  if (types.includes("string") && plain.enum === undefined && plain.const === undefined)
    addStrings(plain, options, add);
  if (types.includes("array")) here.push(...ofItems(plain, options));
  if (types.includes("object")) here.push(...ofFields(plain, options));
  return here;
}

const WRONG_TYPE = "another type";

function typeViolations(types: PlainSchema["types"], { text }: ValueOptions): Violation[] {
  if (types.length === 0) return [];
  return [{ place: "", what: WRONG_TYPE, values: ofOtherTypes(types, text), bySchema: true }];
}

type Add = (what: string, values: fc.Arbitrary<unknown>, bySchema?: boolean) => void;

function otherValues(schema: PlainSchema, { text }: ValueOptions): fc.Arbitrary<unknown> {
  const allowed: unknown[] = schema.enum ? [...schema.enum] : [schema.const];
  const near = allowed.flatMap((value) => (typeof value === "string" ? [`${value} `, value.slice(1)] : []));
  return fc
    .oneof(texts(text, 0, 20), fc.constantFrom("", ...near))
    .filter((value) => !allowed.includes(value));
}

function addNumbers({ types, minimum, maximum }: PlainSchema, add: Add): void {
  const overhang = fc.integer({ min: 1, max: 1_000_000 });
  if (minimum !== undefined) {
    add(
      "below the minimum",
      fc.oneof(
        fc.constant(minimum - 1),
        overhang.map((over) => minimum - over),
      ),
    );
  }
  if (maximum !== undefined) {
    const huge = fc.constantFrom(maximum + 1, 2 ** 53, 1e300);
    const values = fc.oneof(
      huge,
      overhang.map((over) => maximum + over),
    );
    add(
      "above the maximum",
      values.filter((value) => value > maximum),
    );
  }
  if (!types.includes("number")) {
    const whole = fc.integer({ min: Math.max(minimum ?? -100, -1e6), max: Math.min(maximum ?? 100, 1e6) });
    add(
      "no whole number",
      whole.map((value) => value + 0.5),
    );
  }
}

function addStrings(schema: PlainSchema, options: ValueOptions, add: Add): void {
  const { minLength: min = 0, maxLength: max, pattern, format } = schema;
  if (min > 0) add("too short", texts(options.text, 0, min - 1));
  if (max !== undefined) {
    const overhang = fc.integer({ min: 1, max: MAX_OVERHANG });
    add(
      "too long",
      overhang.chain((over) => lengthOf(max + over)),
    );
  }
  if (pattern !== undefined) {
    const right = ofType("string", schema, options) as fc.Arbitrary<string>;
    const near = fc
      .tuple(right, fc.constantFrom(" ", "\n", "-", ".", ",", "e1", "٣", "x", "0.001"), fc.boolean())
      .map(([text, more, atEnd]) => (atEnd ? text + more : more + text));
    const broken = (text: string) => !new RegExp(pattern, "u").test(text);
    add("not as the pattern says", fc.oneof(near, texts(options.text, 0, 10)).filter(broken));
  }
  if (format !== undefined) add("not as the format says", fc.constantFrom("", " ", "x", "0", "a b"));
  if (options.text === "plain" && (max === undefined || max > 0)) {
    const wrong = fc.constantFrom("\0", "\ud800", "\udfff", "\ude00\ud83d");
    const around = fc.string({ maxLength: Math.min(10, ((max ?? 40) - 2) / 2) });
    const values = fc.tuple(around, wrong, around).map((parts) => parts.join(""));
    if (pattern === undefined) add("a text that is not plain", values, false);
  }
}

function ofItems(schema: PlainSchema, options: ValueOptions): Violation[] {
  const { items = {}, minItems = 0, maxItems } = schema;
  const item = valuesOf(items, options);
  const found: Violation[] = [];
  const add = (what: string, values: fc.Arbitrary<unknown>) =>
    void found.push({ place: "", what, values, bySchema: true });
  if (minItems > 0) add("too few items", fc.array(item, { maxLength: minItems - 1 }));
  if (maxItems !== undefined) {
    const length = { minLength: maxItems + 1, maxLength: maxItems + MAX_OVERHANG };
    add("too many items", fc.array(item, length));
  }
  const others = fc.array(item, {
    minLength: Math.max(0, minItems - 1),
    maxLength: Math.min(2 + minItems, (maxItems ?? Infinity) - 1),
  });
  for (const violation of violationsOf(items, options)) {
    const values = fc
      .tuple(others, violation.values, fc.nat())
      .map(([list, broken, position]) => list.toSpliced(position % (list.length + 1), 0, broken));
    found.push({ ...violation, place: `/*${violation.place}`, values });
  }
  return found;
}

function ofFields(schema: PlainSchema, options: ValueOptions): Violation[] {
  const { properties = {}, required = [], additionalProperties = true, minProperties = 0 } = schema;
  const whole = ofType("object", schema, options) as fc.Arbitrary<object>;
  const found: Violation[] = required.map((name) => ({
    place: `/${name}`,
    what: "missing",
    values: whole.map((value) => without(value, name)),
    bySchema: true,
  }));
  if (minProperties > required.length) {
    const values = whole.map((value) =>
      Object.fromEntries(Object.entries(value).slice(0, minProperties - 1)),
    );
    found.push({ place: "", what: "too few fields", values, bySchema: true });
  }
  for (const [name, field] of Object.entries(properties)) {
    for (const violation of violationsOf(field, options)) {
      const values = fc
        .tuple(whole, violation.values)
        .map(([value, broken]) => ({ ...value, [name]: broken }));
      found.push({ ...violation, place: `/${name}${violation.place}`, values });
    }
  }
  if (additionalProperties === false) found.push(extraField(whole, Object.keys(properties), options));
  else if (additionalProperties !== true)
    throw new Error("The fuzzer does not break the schema of additional properties.");
  return found;
}

function extraField(
  whole: fc.Arbitrary<object>,
  names: readonly string[],
  { text }: ValueOptions,
): Violation {
  const near = names.flatMap((name) => [`${name} `, name.toUpperCase(), `${name}s`]);
  const extra = fc
    .oneof(fc.constantFrom("__proto__", "constructor", "toString", "", ...near), texts(text, 1, 12))
    .filter((name) => !names.includes(name));
  return {
    place: "",
    what: "a field that the schema lacks",
    values: fc.tuple(whole, extra, anyJson(text)).map(([value, name, more]) => ({ ...value, [name]: more })),
    bySchema: true,
  };
}

function without(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
