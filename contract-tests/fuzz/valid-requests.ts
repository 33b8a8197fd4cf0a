import fc from "fast-check";
import { type KeyKind, SCOPES, type Scope } from "../../server/keys/api-key.ts";
import type { FuzzRequest } from "./request.ts";
import type { JsonType } from "./schema.ts";
import type { Spec, SpecOperation, SpecParameter } from "./spec.ts";
import { type KnownValues, orKnown, texts, type ValueOptions, valuesOf } from "./values.ts";

/** What the running shop has, by the names under which requests ask for it. */
export interface Known {
  /** By the name of a schema or of a field. */
  readonly byName: Readonly<Record<string, KnownValues>>;
  /** By operation and parameter, such as `getOrder id`. */
  readonly byParameter: Readonly<Record<string, KnownValues>>;
}

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
const MEDIA_TYPES = ["application/json", "application/json; charset=utf-8", "Application/JSON"];

/** A request before it is put together. */
export interface RequestParts {
  /** The values of the path's parameters, encoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Names and values, encoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: FuzzRequest["body"];
}

/** The name that stands for a key of a kind. */
export function keyName(kind: KeyKind | "revoked"): string {
  return `SHOP_KEY_${kind.toUpperCase()}`;
}

/** Requests that the document allows, of a key that may call the operation. */
export function validParts(spec: Spec, operation: SpecOperation, known: Known): fc.Arbitrary<RequestParts> {
  const { bodySchema } = operation;
  const values = fc.record({
    path: valuesIn("path", spec, operation, known),
    query: valuesIn("query", spec, operation, known),
    headers: valuesIn("header", spec, operation, known),
    key: keysOf(operation),
    body: bodySchema === null ? fc.constant(undefined) : bodiesOf(spec, operation, known),
    spell: fc.constantFrom(...SPELLINGS),
    mediaType: fc.constantFrom(...MEDIA_TYPES),
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
export function toRequest({ method, fullPath }: SpecOperation, parts: RequestParts): FuzzRequest {
  const path = fullPath.replaceAll(/\{(\w+)\}/g, (_, name) => parts.path[name] ?? "");
  const query = parts.query.map(([name, value]) => `${name}=${value}`).join("&");
  return {
    method,
    path: query === "" ? path : `${path}?${query}`,
    headers: parts.headers,
    ...(parts.body !== undefined && { body: parts.body }),
  };
}

/** Bodies that fit the operation's schema. */
function bodiesOf(spec: Spec, { bodySchema }: SpecOperation, known: Known): fc.Arbitrary<unknown> {
  const schema = bodySchema ?? {};
  return valuesOf(schema, bodyOptions(spec, known)).filter((body) => spec.fits(schema, body));
}

/** How the values of bodies are made; those of the AI proxy are passed on as they are. */
export function bodyOptions({ schemas, name }: Spec, { byName }: Known): ValueOptions {
  return { schemas, text: name === "proxy" ? "any" : "plain", known: byName };
}

/** How the values of parameters are made. */
export function parameterOptions({ schemas }: Spec, { byName }: Known): ValueOptions {
  return { schemas, text: "plain", known: byName };
}

/** Ways to give a key that has the scopes. */
function keysOf({ keyHeaders }: SpecOperation): fc.Arbitrary<Record<string, string>> {
  const ways = keyHeaders.flatMap(({ header, scopes }) =>
    kindsWith(scopes).map((kind) => ({ [header.name]: header.prefix + keyName(kind) })),
  );
  return ways.length === 0 ? fc.constant({}) : fc.constantFrom(...ways);
}

/** The kinds of keys that have all of the scopes. */
export function kindsWith(scopes: readonly string[]): KeyKind[] {
  const kinds = Object.keys(SCOPES) as KeyKind[];
  return kinds.filter((kind) => scopes.every((scope) => SCOPES[kind].includes(scope as Scope)));
}

function valuesIn(
  place: SpecParameter["in"],
  spec: Spec,
  operation: SpecOperation,
  known: Known,
): fc.Arbitrary<Record<string, string>> {
  const parameters = operation.allParameters.filter((parameter) => parameter.in === place);
  const values = parameters.map((parameter) => [
    parameter.name,
    parameterValues(parameter, spec, operation, known).map(String),
  ]);
  return fc.record(Object.fromEntries(values), {
    requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
    noNullPrototype: true,
  });
}

function parameterValues(
  parameter: SpecParameter,
  spec: Spec,
  { operationId }: SpecOperation,
  known: Known,
): fc.Arbitrary<unknown> {
  const { name, schema } = parameter;
  const fits = (value: unknown) => spec.fits(schema, value);
  const { enum: listed } = spec.schemas.plain(schema);
  const isText = writtenType(spec, parameter) === "string";
  const isHeaderText = parameter.in === "header" && isText && listed === undefined;
  const made = (isHeaderText ? headerTexts() : valuesOf(schema, parameterOptions(spec, known))).filter(fits);
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
function headerTexts(): fc.Arbitrary<string> {
  return texts("plain", 1, 20).map((text) => text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, "_").trim());
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
