import type { OpenAPIV3 } from "express-openapi-validator/dist/framework/types.js";

export type OpenApiDocument = OpenAPIV3.DocumentV3_1;

/** What is known of an operation before any request comes. */
export interface Operation {
  readonly operationId: string;
  /** Whether it may be called without admission. */
  readonly isOpen: boolean;
  /** Whether it documents a 400. */
  readonly refusesInput: boolean;
  /** Whether query parameters that it does not document mean nothing to it, and are no fault. */
  readonly ignoresUnknownQuery: boolean;
  /** The request headers that it documents. */
  readonly headers: readonly string[];
  /** Null: it takes no body. */
  readonly body: { readonly mediaTypes: readonly string[]; readonly required: boolean } | null;
  /** The media types of each status that is no error; none for an answer without a body. */
  readonly answers: ReadonlyMap<number, readonly string[]>;
}

/** The validator's own name for it. */
const IGNORES_UNKNOWN_QUERY = "x-eov-allow-unknown-query-parameters";

const METHODS = ["get", "put", "post", "patch", "delete"] as const;

/** The one way in that the validator is told of; the interface's admission looks in all. */
const ANY_WAY = { key: { type: "http", scheme: "any" } } as const;

/** The path of the document's server, such as `/shop/v1`; "" where it is the root. */
export function basePathOf({ servers, info }: OpenApiDocument): string {
  const url = servers?.[0]?.url;
  if (url === undefined) throw new Error(`The document ${info.title} names no server.`);
  return new URL(url, "http://localhost").pathname.replace(/\/$/, "");
}

/** Who reaches a port of the service: buyers and their programs, or the shop's own people. */
export type Listener = "public" | "operator";

/** On which port an interface is served, as its document says in `x-listener`; where it says nothing, on that of buyers. */
export function listenerOf(document: OpenApiDocument): Listener {
  const listener = (document as { readonly "x-listener"?: string })["x-listener"] ?? "public";
  if (listener !== "public" && listener !== "operator") throw new Error(`There is no listener ${listener}.`);
  return listener;
}

/** What a document's paths begin with: its base path, or where that is the root, their first parts, such as `/v1`. */
export function documentedBasesOf(document: OpenApiDocument): string[] {
  const basePath = basePathOf(document);
  if (basePath !== "") return [basePath];
  return [...new Set(Object.keys(document.paths ?? {}).map((path) => `/${path.split("/")[1]}`))];
}

/** The headers that a document describes of answers, of every operation and status, each once. */
export function answerHeadersOf(document: OpenApiDocument): string[] {
  const responses = Object.values(document.paths ?? {}).flatMap((item) =>
    METHODS.flatMap((method) => Object.values(item[method]?.responses ?? {})),
  );
  const names = responses.flatMap((response) =>
    Object.keys(follow<OpenAPIV3.ResponseObject>(document, response).headers ?? {}),
  );
  return [...new Set(names)];
}

/** The paths of a document, as they are tried: what is written out goes before a parameter, so `/notes/new` before `/notes/{id}`. */
export function pathsOf({ paths = {} }: OpenApiDocument): string[] {
  const order = (path: string) => path.replaceAll("{", "\uffff");
  return Object.keys(paths).sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

/** The same document with one path, and of what all paths share that which this one uses. */
export function documentOfPath(document: OpenApiDocument, path: string): OpenApiDocument {
  const item = document.paths?.[path] ?? {};
  const used = new Set<string>();
  const noteReferences = (part: unknown): void => {
    if (typeof part === "object" && part !== null) Object.values(part).forEach(noteReferences);
    if (typeof part !== "string" || !part.startsWith("#/components/")) return;
    const $ref = part.split("/").slice(0, 4).join("/");
    if (used.has($ref)) return;
    used.add($ref);
    noteReferences(follow(document, { $ref }));
  };
  noteReferences(item);
  const isUsed =
    (group: string) =>
    ([name]: [string, unknown]) =>
      used.has(`#/components/${group}/${name}`);
  const groups = Object.entries(document.components ?? {}).map(([group, parts]) => [
    group,
    group === "securitySchemes" ? parts : Object.fromEntries(Object.entries(parts).filter(isUsed(group))),
  ]);
  return { ...document, paths: { [path]: item }, components: Object.fromEntries(groups) };
}

/** The operations of one path of a document, by method in capitals. */
export function operationsAt(document: OpenApiDocument, path: string): ReadonlyMap<string, Operation> {
  const item = document.paths?.[path] ?? {};
  const shared = item.parameters ?? [];
  return new Map(
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      return [[method.toUpperCase(), describe(document, operation, shared)] as const];
    }),
  );
}

type Parameters = NonNullable<OpenAPIV3.OperationObject["parameters"]>;

function describe(
  document: OpenApiDocument,
  operation: OpenAPIV3.OperationObject,
  shared: Parameters,
): Operation {
  const { operationId, requestBody, responses = {}, parameters = [] } = operation;
  if (operationId === undefined) throw new Error("Every operation needs an operationId.");
  const body = requestBody && follow<OpenAPIV3.RequestBodyObject>(document, requestBody);
  const isSuccess = ([status]: [string, unknown]) => /^[23]/.test(status);
  return {
    operationId,
    isOpen: waysIn(document, operation).length === 0,
    refusesInput: documents(operation, 400),
    ignoresUnknownQuery: IGNORES_UNKNOWN_QUERY in operation,
    headers: [...shared, ...parameters]
      .map((parameter) => follow<OpenAPIV3.ParameterObject>(document, parameter))
      .filter((parameter) => parameter.in === "header")
      .map(({ name }) => name),
    body: body ? { mediaTypes: Object.keys(body.content), required: body.required === true } : null,
    answers: new Map(
      Object.entries(responses)
        .filter(isSuccess)
        .map(([status, response]) => {
          const { content = {} } = follow<OpenAPIV3.ResponseObject>(document, response);
          return [Number(status), Object.keys(content)];
        }),
    ),
  };
}

/**
 * Changes a document so that the validator takes it as it is meant:
 * - It refuses what URLs may hold unescaped, such as the colon of an id, and empty values that the schema allows.
 * - An operation that documents no 400 has nothing to say about a parameter that it does not know.
 * - It looks by itself for each way to give a key or a session, and makes an error, with its stack, for each that a
 *   request does not use, which took a twentieth of a message's time. So it is told of one way, which it does not know.
 */
export function adaptToValidator(document: OpenApiDocument): void {
  for (const parameter of Object.values(document.components?.parameters ?? {})) allowAnyText(parameter);
  for (const item of Object.values(document.paths ?? {})) {
    for (const parameter of item.parameters ?? []) allowAnyText(parameter);
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      for (const parameter of operation.parameters ?? []) allowAnyText(parameter);
      if (!documents(operation, 400)) Object.assign(operation, { [IGNORES_UNKNOWN_QUERY]: true });
      const ways = waysIn(document, operation);
      operation.security = ways.length === 0 ? [] : [{ key: scopesOf(ways) }];
    }
  }
  document.components = { ...document.components, securitySchemes: ANY_WAY };
}

function allowAnyText(parameter: object): void {
  if (!("$ref" in parameter)) Object.assign(parameter, { allowReserved: true, allowEmptyValue: true });
}

function waysIn(document: OpenApiDocument, { security }: OpenAPIV3.OperationObject) {
  return security ?? document.security ?? [];
}

/** The scopes of every way in; one that asks for others, or admits callers without any, is not provided for. */
function scopesOf(ways: readonly OpenAPIV3.SecurityRequirementObject[]): string[] {
  const [scopes = [], ...others] = ways.map((way) => Object.values(way).flat());
  if (others.some((other) => other.join() !== scopes.join()) || ways.some(isEmpty))
    throw new Error("All ways in to an operation must ask for the same scopes.");
  return scopes;
}

function isEmpty(way: object): boolean {
  return Object.keys(way).length === 0;
}

function documents({ responses }: OpenAPIV3.OperationObject, status: number): boolean {
  return responses !== undefined && String(status) in responses;
}

/** What stands at a reference within the document, or the thing itself where it is none. */
function follow<Part>(document: OpenApiDocument, part: object): Part {
  if (!("$ref" in part) || typeof part.$ref !== "string") return part as Part;
  const keys = part.$ref.split("/").slice(1);
  return keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], document) as Part;
}
