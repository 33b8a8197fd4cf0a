import { follow, type Json } from "./follow.ts";

/**
 * The document for those who read it: answers may have fields that it does not name. Programs that were generated from a
 * document that refuses them would break with the first field that a minor version adds. The service and the tests keep to
 * the document as it was written.
 * @throws when a schema that refuses unknown fields is sent and answered: open, it would say that they may be sent
 */
export function openAnswers(document: Json): Json {
  const published = structuredClone(document);
  const sent = schemasIn(published, requestsOf(published));
  for (const schema of schemasIn(published, answersOf(published))) {
    if (schema.additionalProperties !== false) continue;
    if (sent.has(schema)) throw new Error(tellShared(published, schema));
    delete schema.additionalProperties;
  }
  return published;
}

function operationsOf(document: Json): Json[] {
  return Object.values<Json>(document.paths).flatMap((item) => {
    const shared = item.parameters ?? [];
    return Object.values<Json>(item)
      .filter((operation) => operation.responses !== undefined)
      .map((operation) => ({ ...operation, parameters: [...shared, ...(operation.parameters ?? [])] }));
  });
}

function requestsOf(document: Json): Json[] {
  return operationsOf(document).flatMap(({ parameters, requestBody }) => [...parameters, requestBody ?? {}]);
}

/** Answers, and what a document lists by itself: the body of errors that belong to no operation. */
function answersOf(document: Json): Json[] {
  const answers = operationsOf(document).flatMap(({ responses }) => Object.values<Json>(responses));
  return [...answers, document.components?.schemas?.ApiError ?? {}];
}

/** Every object that a part of the document holds or refers to. Examples are no schemas, and only hold values. */
function schemasIn(document: Json, parts: readonly Json[]): Set<Json> {
  const found = new Set<Json>();
  const visit = (part: Json): void => {
    if (typeof part !== "object" || part === null) return;
    const target = follow(document, part);
    if (found.has(target)) return;
    found.add(target);
    for (const [key, inner] of Object.entries<Json>(target)) if (!EXAMPLES.has(key)) visit(inner);
  };
  parts.forEach(visit);
  return found;
}

const EXAMPLES = new Set(["example", "examples"]);

function tellShared(document: Json, schema: Json): string {
  const schemas = Object.entries<Json>(document.components?.schemas ?? {});
  const [name] = schemas.find(([, named]) => named === schema) ?? ["An object"];
  return `${name} is part of a request and of an answer: give each a schema of its own.`;
}

/**
 * Writes "a value of this enum, or null" as 3.0 has it, which knows no null: as a text that may be null. Its `nullable`
 * beside a reference would not allow null, since the enum that is referred to does not, and validators then refuse answers.
 * @throws when something else than an enum may be null in this way
 */
export function nullsAsIn30(document: Json): Json {
  const change = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(change);
    if (typeof part !== "object" || part === null) return part;
    const isNullable = part.anyOf?.some(({ type }: Json) => type === "null");
    if (isNullable) return nullableText(document, part);
    return Object.fromEntries(Object.entries<Json>(part).map(([key, inner]) => [key, change(inner)]));
  };
  return change(document);
}

function nullableText(document: Json, { anyOf, description, ...others }: Json): Json {
  const [only, ...more] = anyOf.filter(({ type }: Json) => type !== "null");
  const schema = follow(document, only);
  if (schema?.enum === undefined || schema.type !== "string" || more.length > 0)
    throw new Error(
      "3.0 cannot say what may be null here; write the type as a list, such as [object, 'null'].",
    );
  const texts = [description, schema.description].filter((text) => text !== undefined);
  return { ...others, type: ["string", "null"], description: texts.join("\n\n") };
}
