import type { Schema } from "../fuzz/schema.ts";
import type { Spec } from "../fuzz/spec.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Answers that are to show whether each field has the value that belongs into it. */
export interface ToldAnswer {
  readonly schema: Schema;
  readonly body: unknown;
}

/**
 * What a converter could get wrong without any of the answers being another: fields that none of them has, and pairs of
 * fields of one object that have the same value in all of them.
 */
export function untoldFields(spec: Spec, answers: readonly ToldAnswer[]): string[] {
  const objects = new Map<string, Fields[]>();
  for (const { schema, body } of answers) gather(spec, schema, body, objects);
  return [...objects].flatMap(([name, seen]) => {
    const fields = Object.keys(spec.named[name]?.properties ?? {});
    return [
      ...fields
        .filter((field) => seen.every((object) => object[field] === undefined || object[field] === null))
        .map((field) => `no case shows a value in ${name}.${field}`),
      ...pairsOf(fields)
        .filter(([one, other]) => areAlike(one, other, seen))
        .map(([one, other]) => `no case tells ${name}.${one} and ${name}.${other} apart`),
    ];
  });
}

/** A list that may have fewer is kept short where its rows are made, and the tests of that fill it. */
const LONG = 50;

/**
 * The long lists that none of the answers shows as long as they may be: a list that is cut too early, or too late, would be untold.
 * One whose object says whether there are more is shown so long with and without more.
 */
export function untoldLengths(spec: Spec, answers: readonly ToldAnswer[]): string[] {
  return fieldsOf(spec, answers).flatMap(({ place, field, schema, objects }) => {
    const { maxItems } = spec.schemas.plain(schema);
    if (maxItems === undefined || maxItems < LONG) return [];
    const full = objects.filter(({ [field]: list }) => Array.isArray(list) && list.length === maxItems);
    const [more] = Object.keys(objects[0] ?? {}).filter(
      (name) => name.toLowerCase() === `hasmore${field.toLowerCase()}`,
    );
    const wanted = more === undefined ? [undefined] : [false, true];
    return wanted
      .filter((value) => !full.some((object) => more === undefined || object[more] === value))
      .map((value) => {
        const beside = value === undefined ? "" : `, with ${more} ${value}`;
        return `no case shows ${place} with ${maxItems} items, the most that it may have${beside}`;
      });
  });
}

/** Every field of a named object that some of the answers have, with those objects. */
function fieldsOf(spec: Spec, answers: readonly ToldAnswer[]) {
  const objects = new Map<string, Fields[]>();
  for (const { schema, body } of answers) gather(spec, schema, body, objects);
  return [...objects].flatMap(([name, seen]) =>
    Object.entries(spec.named[name]?.properties ?? {}).map(([field, schema]) => {
      return { place: `${name}.${field}`, field, schema, objects: seen };
    }),
  );
}

/** The texts, numbers and amounts that are there more than once, so that one could be taken for the other. */
export function repeatedValues(value: unknown): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const look = (inner: unknown) => {
    if (typeof inner === "object" && inner !== null) return Object.values(inner).forEach(look);
    if (!["string", "number", "bigint"].includes(typeof inner)) return;
    const text = String(inner);
    if (seen.has(text)) repeated.add(text);
    seen.add(text);
  };
  look(value);
  return [...repeated];
}

/** Whether two fields have values of one type, and never other ones. */
function areAlike(one: string, other: string, seen: readonly Fields[]): boolean {
  const both = seen.filter((object) => typeof object[one] === typeof object[other] && isPlain(object[one]));
  return both.length > 0 && both.every((object) => object[one] === object[other]);
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function pairsOf(names: readonly string[]): [string, string][] {
  return names.flatMap((one, index) => names.slice(index + 1).map((other): [string, string] => [one, other]));
}

/** Puts every object of a named schema under its name. */
function gather(spec: Spec, schema: Schema, value: unknown, objects: Map<string, Fields[]>): void {
  if (value === null || value === undefined) return;
  const { name, properties, items, anyOf = [], oneOf = [] } = spec.schemas.plain(schema);
  if (Array.isArray(value)) for (const item of value) gather(spec, items ?? {}, item, objects);
  for (const alternative of [...anyOf, ...oneOf]) gather(spec, alternative, value, objects);
  if (name === null || properties === undefined || typeof value !== "object") return;
  objects.set(name, [...(objects.get(name) ?? []), value as Fields]);
  for (const [field, inner] of Object.entries(properties))
    gather(spec, inner, (value as Fields)[field], objects);
}
