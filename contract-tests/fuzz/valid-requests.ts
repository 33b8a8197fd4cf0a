import fc from "fast-check";
import { headersWith } from "../contract.ts";
import { credentialsFor } from "./callers.ts";
import type { FuzzedInterface } from "./fuzzed-interface.ts";
import type { FuzzRequest, RequestParts } from "./request.ts";
import type { JsonType } from "./schema.ts";
import type { Spec, SpecBody, SpecOperation, SpecParameter } from "./spec.ts";
import { orKnown, texts, type ValueOptions, valuesOf } from "./values.ts";

const STRAY_QUERIES: readonly RequestParts["query"][] = [
  [],
  [["x", "1"]],
  [
    ["__proto__", "%ff"],
    ["limit", "0"],
  ],
];
/** Ways to write the same JSON. */
const SPELLINGS: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => ` \n${JSON.stringify(value, null, "\t")}\r\n`,
  (value) => JSON.stringify(value).replaceAll(/[^\x20-\x7e]|\//g, escapeUnit),
];
const WRITTEN_TYPES = new Set<JsonType>(["string", "integer", "number", "boolean"]);
const JSON_TYPE = "application/json";

/** Requests that the document allows, of a caller who may call the operation. */
export function validParts(
  spec: Spec,
  operation: SpecOperation,
  known: FuzzedInterface,
): fc.Arbitrary<RequestParts> {
  const { body: wanted } = operation;
  const isJson = wanted?.mediaType === JSON_TYPE;
  const values = fc.record({
    path: valuesIn("path", spec, operation, known),
    query: valuesIn("query", spec, operation, known),
    headers: valuesIn("header", spec, operation, known),
    key: keysOf(operation, known),
    body: wanted === null ? fc.constant(undefined) : bodiesOf(spec, wanted, known),
    spell: isJson ? fc.constantFrom(...SPELLINGS) : fc.constant(String),
    mediaType: fc.constantFrom(...mediaTypesOf(wanted)),
    loosely: fc.boolean(),
    // An operation that documents no 400 ignores what it does not know.
    stray: "400" in operation.responses ? fc.constant([]) : fc.constantFrom(...STRAY_QUERIES),
  });
  return values.map(({ path, query, headers, key, body, spell, mediaType, loosely, stray }) => {
    const encodePath = loosely ? encodePathLoosely : encodeURIComponent;
    const encodeQuery = loosely ? encodeQueryLoosely : encodeURIComponent;
    const written = Object.entries(query).map(([name, value]) => [name, encodeQuery(value)] as const);
    return {
      path: Object.fromEntries(Object.entries(path).map(([name, value]) => [name, encodePath(value)])),
      query: [...written, ...stray],
      headers: { ...headers, ...key, ...(body === undefined ? {} : { "content-type": mediaType }) },
      ...(body !== undefined && { body: spell(body) }),
    };
  });
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Puts a request together. */
export function toRequest(
  { method, fullPath, browserHeaders }: SpecOperation,
  parts: RequestParts,
): FuzzRequest {
  const path = fullPath.replaceAll(/\{(\w+)\}/g, (_, name) => parts.path[name] ?? "");
  const query = parts.query.map(([name, value]) => `${name}=${value}`).join("&");
  return {
    method,
    path: query === "" ? path : `${path}?${query}`,
    headers: { ...browserHeaders, ...parts.headers },
    ...(parts.body !== undefined && { body: parts.body }),
  };
}

/** Ways to write a media type. */
function mediaTypesOf(body: SpecBody | null): string[] {
  const { mediaType } = body ?? { mediaType: JSON_TYPE };
  return [
    mediaType,
    `${mediaType}; charset=utf-8`,
    mediaType.replace(/^./, (letter) => letter.toUpperCase()),
  ];
}

/** Bodies that fit a schema. */
function bodiesOf(spec: Spec, { schema }: SpecBody, known: FuzzedInterface): fc.Arbitrary<unknown> {
  return valuesOf(schema, bodyOptions(spec, known)).filter((body) => spec.fits(schema, body));
}

/** How the values of bodies are made. */
export function bodyOptions({ schemas }: Spec, { bodyText, byName }: FuzzedInterface): ValueOptions {
  return { schemas, text: bodyText, known: byName };
}

/** How the values of parameters are made. */
export function parameterOptions({ schemas }: Spec, { byName }: FuzzedInterface): ValueOptions {
  return { schemas, text: "plain", known: byName };
}

/** Ways to be let in with the scopes. */
function keysOf(operation: SpecOperation, known: FuzzedInterface): fc.Arbitrary<Record<string, string>> {
  const ways = operation.admissions.flatMap((admission) =>
    credentialsFor(operation, admission, known).map((credential) => headersWith(admission, credential)),
  );
  return ways.length === 0 ? fc.constant({}) : fc.constantFrom(...ways);
}

function valuesIn(
  place: SpecParameter["in"],
  spec: Spec,
  operation: SpecOperation,
  known: FuzzedInterface,
): fc.Arbitrary<Record<string, string>> {
  const parameters = operation.allParameters.filter((parameter) => parameter.in === place);
  const nameOf = ({ name }: SpecParameter) => (place === "header" ? name.toLowerCase() : name);
  const values = parameters.map((parameter) => [
    nameOf(parameter),
    parameterValues(parameter, spec, operation, known).map(String),
  ]);
  return fc.record(Object.fromEntries(values), {
    requiredKeys: parameters.filter(({ required }) => required).map(nameOf),
    noNullPrototype: true,
  });
}

function parameterValues(
  parameter: SpecParameter,
  spec: Spec,
  { operationId }: SpecOperation,
  known: FuzzedInterface,
): fc.Arbitrary<unknown> {
  const { name, schema } = parameter;
  const fits = (value: unknown) => spec.fits(schema, value);
  const { enum: listed, pattern, format, minLength = 1 } = spec.schemas.plain(schema);
  const isText = writtenType(spec, parameter) === "string";
  const isHeaderText = parameter.in === "header" && isText && (listed ?? pattern ?? format) === undefined;
  const made = (
    isHeaderText ? headerTexts(minLength) : valuesOf(schema, parameterOptions(spec, known))
  ).filter(fits);
  return orKnown(known.byParameter[`${operationId} ${name}`], made);
}

/** The one type of a parameter. @throws when it has more of them, or one that is not simply written as a text. */
export function writtenType({ schemas }: Spec, { name, schema }: SpecParameter): JsonType {
  const [type, ...others] = schemas.plain(schema).types;
  if (type === undefined || others.length > 0 || !WRITTEN_TYPES.has(type))
    throw new Error(`The fuzzer does not know how the parameter ${name} is written.`);
  return type;
}

/** What a header can carry, without the space that HTTP takes off its ends. */
function headerTexts(minLength: number): fc.Arbitrary<string> {
  return texts("plain", minLength, minLength + 20).map((text) =>
    text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, "_").trim(),
  );
}

/** Leaves characters unescaped that a path may hold. */
function encodePathLoosely(value: string): string {
  return encodeURIComponent(value).replaceAll(/%(?:3A|40|2C|3B|24|3D|26|2B)/g, (escaped) =>
    decodeURIComponent(escaped),
  );
}

/** Leaves characters unescaped that a query may hold. */
function encodeQueryLoosely(value: string): string {
  return encodeURIComponent(value).replaceAll(/%(?:3A|40|2C|3B|24|2F|3F|3D)/g, (escaped) =>
    decodeURIComponent(escaped),
  );
}
