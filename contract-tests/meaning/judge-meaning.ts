import type { AnySchemaObject } from "ajv/dist/2020.js";
import type { Invariants, JudgedAnswer, Pair, Place, Shaped } from "./invariants.ts";

type Schemas = Readonly<Record<string, AnySchemaObject>>;

const REFERENCE = "#/components/schemas/";
const MAX_SHOWN_LENGTH = 400;

/** A value of a named schema, where it stands in a body. */
export interface NamedValue extends Place {
  readonly name: string;
  /** As a JSON pointer. */
  readonly path: string;
  readonly value: Shaped;
}

/** Makes what says which invariants a value breaks, each with its place, its sentence and the value. */
export function meaningJudge(
  schemas: Schemas,
  { ofSchemas, ofExamples = {}, ofAnswers, ofPairs }: Invariants,
) {
  const brokenIn = (
    sentences: Invariants["ofSchemas"],
    what: string,
    schema: AnySchemaObject,
    value: Shaped,
  ): string[] =>
    namedValues(schemas, schema, { path: "", value, within: [] }).flatMap((found) =>
      Object.entries(sentences[found.name] ?? {})
        .filter(([, holds]) => !holdsOf(() => holds(found.value, found)))
        .map(
          ([sentence]) =>
            `${what}${found.path} is a ${found.name} of which it must hold: ${sentence}; it is ${shown(found.value)}`,
        ),
    );
  /** @param what such as `body` */
  const faultsOfValue = (what: string, schema: AnySchemaObject, value: Shaped) =>
    brokenIn(ofSchemas, what, schema, value);
  const faultsOfExample = (schema: AnySchemaObject, value: Shaped) =>
    [ofSchemas, ofExamples].flatMap((sentences) => brokenIn(sentences, "the example", schema, value));
  const faultsOfAnswer = (answer: JudgedAnswer): string[] =>
    Object.entries(ofAnswers)
      .filter(([, holds]) => !holdsOf(() => holds(answer)))
      .map(
        ([sentence]) =>
          `the answer must keep to: ${sentence}; its headers are ${shown(answer.headers)}, its body is ${shown(answer.body)}`,
      );
  const faultsOfPair = (pair: Pair): string[] => [
    ...differingFields(pair),
    ...Object.entries(ofPairs)
      .filter(([, holds]) => !holdsOf(() => holds(pair)))
      .map(
        ([sentence]) =>
          `request and answer must keep to: ${sentence}; they are ${shown(pair.request)} and ${shown(pair.body)}`,
      ),
  ];
  return { faultsOfValue, faultsOfExample, faultsOfAnswer, faultsOfPair };
}

/** What an answer repeats of its request is the same in both. */
function differingFields({ request, body }: Pair): string[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.keys(request)
    .filter((field) => Object.hasOwn(body, field) && shown(request[field]) !== shown(body[field]))
    .map(
      (field) =>
        `${field} is ${shown(request[field])} in the request, and ${shown(body[field])} in the answer to it`,
    );
}

/** A value that lacks what a sentence is about does not keep to it. */
function holdsOf(ask: () => boolean): boolean {
  try {
    return ask();
  } catch {
    return false;
  }
}

/** Every value of a named schema in a body, the outermost first. */
export function namedValues(
  schemas: Schemas,
  schema: AnySchemaObject,
  at: Omit<NamedValue, "name">,
): NamedValue[] {
  const { value, path, within } = at;
  if (value === null || value === undefined) return [];
  if (typeof schema.$ref === "string" && schema.$ref.startsWith(REFERENCE)) {
    const name = schema.$ref.slice(REFERENCE.length);
    const inside = namedValues(schemas, schemas[name] ?? {}, { ...at, within: [...within, name] });
    return [{ ...at, name }, ...inside];
  }
  const found = alternativesOf(schema).flatMap((alternative) => namedValues(schemas, alternative, at));
  if (Array.isArray(value))
    return value.reduce<NamedValue[]>((all, item, index) => {
      all.push(
        ...namedValues(schemas, schema.items ?? {}, { value: item, path: `${path}/${index}`, within }),
      );
      return all;
    }, found);
  if (typeof value !== "object") return found;
  for (const [name, field] of Object.entries<AnySchemaObject>(schema.properties ?? {}))
    found.push(...namedValues(schemas, field, { value: value[name], path: `${path}/${name}`, within }));
  return found;
}

function alternativesOf({ anyOf = [], oneOf = [], allOf = [] }: AnySchemaObject): AnySchemaObject[] {
  return [...anyOf, ...oneOf, ...allOf];
}

function shown(value: Shaped): string {
  return JSON.stringify(value)?.slice(0, MAX_SHOWN_LENGTH) ?? "nothing";
}
