import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnySchemaObject } from "ajv/dist/2020.js";
import type { Listener } from "../server/http/document.ts";
import { codesIn } from "../spec/tools/error-table.ts";
import { interfaceNames } from "../spec/tools/interface-names.ts";
import { undocumentedHeaders } from "./meaning/headers.ts";
import { invariantsOf, type Pair } from "./meaning/invariants.ts";
import { meaningJudge } from "./meaning/judge-meaning.ts";
import { schemaValidators } from "./schema-validators.ts";

/** An operation of a document; references to parameters, responses, headers and examples are followed. */
export interface Operation {
  /** Unique in its document, and not among those of all interfaces. */
  operationId: string;
  /** In capital letters. */
  method: string;
  /** The path template, for example `/orders/{id}`. */
  path: string;
  /** The ways to be let in, any of which is enough; empty when everybody is. */
  admissions: Admission[];
  parameters: Parameter[];
  /** What browsers add to each request of a page, by names in lower case: `x-browser-headers` of the document. */
  browserHeaders: Record<string, string>;
  /** Whether query parameters that it does not document are no fault. */
  ignoresUnknownQuery: boolean;
  requestBody?: { content: Record<string, MediaType> };
  /** By status. */
  responses: Record<string, DocumentedResponse>;
}

/** A way to be let in: a header with a credential, such as a key or the cookie of a session. */
export interface Admission {
  /** In lower case. */
  header: string;
  /** What stands before the credential. */
  prefix: string;
  scopes: string[];
}

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  schema: AnySchemaObject;
  example?: string | number;
}

interface DocumentedResponse {
  headers: Record<string, { required?: boolean; schema: AnySchemaObject; example?: string | number }>;
  /** By media type; empty when the answer has no body. */
  content: Record<string, MediaType>;
}

interface MediaType {
  schema: AnySchemaObject;
  examples: Record<string, { value: unknown }>;
}

/** An answer as a client received it; header names are in lower case. */
export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

/** An answer whose body may have passed unread; it is null then. */
export type UnreadAnswer = Omit<Answer, "body"> & { body: string | null };

/** The interfaces that have a contract, by name. */
export const INTERFACES: readonly string[] = interfaceNames();

/** The contract of one interface: the bundled OpenAPI 3.1 document and nothing weaker. */
export interface Contract {
  /** The path of the base URL, for example `/shop/v1`; empty where it is the root. */
  basePath: string;
  /** Where its mock listens when no other port is asked for. */
  mockPort: number;
  /** On which port the service has it. */
  listener: Listener;
  operations: Operation[];
  /** The error codes or types that an answer may have; none where it is no error. */
  errorCodesOf(response: DocumentedResponse): string[];
  /** Every way in which an answer breaks the contract; empty when it keeps to it. */
  faultsOf(operation: Operation, answer: Answer): string[];
  /** Of them, what breaks the shape that the document describes: status, headers, media type, schema. */
  shapeFaultsOf(operation: Operation, answer: Answer): string[];
  /** Of them, what a shape cannot tell: headers that are not documented, and values that contradict each other. */
  meaningFaultsOf(operation: Operation, answer: UnreadAnswer): string[];
  /** Every way in which the values of an example contradict each other. @param status null of a request */
  contradictionsIn(operation: Operation, status: number | null, media: MediaType, example: unknown): string[];
  /** Every way in which a request and its answer contradict each other. */
  contradictionsBetween(pair: Pair): string[];
}

/** By the name of the interface. */
const opened = new Map<string, { readonly text: string; readonly contract: Contract }>();

/** Opens the contract of an interface, once for all who ask, until its document is another. */
export function openContract(name: string): Contract {
  const file = join(import.meta.dirname, "../generated", name, "openapi-strict.json");
  const text = readFileSync(file, "utf8");
  const known = opened.get(name);
  if (known?.text === text) return known.contract;
  const contract = contractOf(name, JSON.parse(text));
  opened.set(name, { text, contract });
  return contract;
}

function contractOf(name: string, document: OpenApiDocument): Contract {
  const { schemas } = document.components;
  const faultsIn = checker(schemas);
  const meaning = meaningJudge(schemas, invariantsOf(name));
  const shapeFaultsOf: Contract["shapeFaultsOf"] = (operation, answer) =>
    faultsOfShape(faultsIn, operation, answer);
  const meaningFaultsOf: Contract["meaningFaultsOf"] = (operation, answer) => {
    const { operationId, responses } = operation;
    const { status, headers, body: text } = answer;
    const response = responses[status];
    if (!response) return [];
    const faults = undocumentedHeaders(Object.keys(response.headers), headers);
    const [schema, body] = text === null ? [null] : documentedBody(response, { status, headers, body: text });
    if (schema !== null && body !== undefined) {
      faults.push(...meaning.faultsOfValue("body", schema, body));
      faults.push(...meaning.faultsOfAnswer({ operationId, status, headers, body }));
    } else if (Object.keys(response.content).length === 0)
      faults.push(...meaning.faultsOfAnswer({ operationId, status, headers, body: null }));
    return faults;
  };
  return {
    // A server's URL may be whole, with a variable for its host.
    basePath: document.servers[0].url.replace(/^\w+:\/\/[^/]*/, "").replace(/\/$/, ""),
    mockPort: document["x-mock-port"],
    listener: document["x-listener"] ?? "public",
    operations: operationsOf(document),
    errorCodesOf: ({ content }) => codesIn(document, content["application/json"]?.schema) ?? [],
    faultsOf: (operation, answer) => [
      ...shapeFaultsOf(operation, answer),
      ...meaningFaultsOf(operation, answer),
    ],
    shapeFaultsOf,
    meaningFaultsOf,
    contradictionsBetween: meaning.faultsOfPair,
    contradictionsIn: ({ operationId, responses }, status, { schema }, body) => [
      ...meaning.faultsOfExample(schema, body),
      ...(status === null
        ? []
        : meaning.faultsOfAnswer({ operationId, status, headers: exampleHeaders(responses[status]), body })),
    ],
  };
}

/** The headers that an answer is shown with, whatever its body. */
function exampleHeaders(response: DocumentedResponse | undefined): Record<string, string> {
  const shown = Object.entries(response?.headers ?? {}).filter(([, { example }]) => example !== undefined);
  return Object.fromEntries(shown.map(([name, { example }]) => [name.toLowerCase(), String(example)]));
}

function faultsOfShape(
  faultsIn: ReturnType<typeof checker>,
  { operationId, responses }: Operation,
  answer: Answer,
): string[] {
  const { status, headers, body } = answer;
  const response = responses[status];
  if (!response) return [`${operationId} may not answer ${status}`];
  const headerFaults = Object.entries(response.headers).flatMap(([name, { required, schema }]) => {
    const value = headers[name.toLowerCase()];
    if (value === undefined) return required ? [`header ${name} is missing`] : [];
    return faultsIn(`header ${name}`, schema.type === "integer" ? integerOf(value) : value, schema);
  });
  if (Object.keys(response.content).length === 0) {
    return body === "" ? headerFaults : [...headerFaults, "body must be empty"];
  }
  const [schema, value] = documentedBody(response, answer);
  if (schema === null) {
    const contentType = documentedType(headers["content-type"] ?? "none");
    return [...headerFaults, `content type ${contentType} is not documented`];
  }
  return [...headerFaults, ...faultsIn("body", value, schema)];
}

/** The schema of the media type that an answer has, null where it is none of the documented, and its body as a value. */
function documentedBody(
  { content }: DocumentedResponse,
  { headers, body }: Answer,
): [schema: AnySchemaObject | null, value: unknown] {
  const contentType = documentedType(headers["content-type"] ?? "none");
  const media = content[contentType];
  if (!media) return [null, undefined];
  return [media.schema, contentType === "application/json" ? parse(body) : body];
}

/** The type of a text often comes with its charset, which is UTF-8 for all that is documented. */
export function documentedType(contentType: string): string {
  return contentType.replace(/^(text\/[a-z-]+); *charset=utf-8$/i, "$1");
}

/** The headers that let in who has the credential. */
export function headersWith({ header, prefix }: Admission, credential: string): Record<string, string> {
  return { [header]: prefix + credential };
}

/** The query parameters that an operation has to be given, with their examples: `from=…&to=…`; "" where there are none. */
export function exampleQuery({ parameters }: Pick<Operation, "parameters">): string {
  return parameters
    .filter((parameter) => parameter.in === "query" && parameter.required === true)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join("&");
}

/** The headers that every request to an operation has: what browsers add, and examples of those that it must have. */
export function usualHeaders({ browserHeaders, parameters }: Operation): Record<string, string> {
  const required = parameters.filter((it) => it.in === "header" && it.required === true);
  const examples = required.map(({ name, example }) => [name.toLowerCase(), String(example)]);
  return { ...browserHeaders, ...Object.fromEntries(examples) };
}

interface OpenApiDocument {
  "x-mock-port": number;
  "x-listener"?: Listener;
  "x-browser-headers"?: Record<string, string>;
  servers: [{ url: string }];
  security?: Requirement[];
  paths: object;
  components: { schemas: Record<string, AnySchemaObject>; securitySchemes?: Record<string, SecurityScheme> };
}

/** Scopes by the name of a security scheme. */
type Requirement = Record<string, string[]>;

interface SecurityScheme {
  type: string;
  scheme?: string;
  in?: string;
  name?: string;
}

/** An operation as it is written, with its references followed. */
type WrittenOperation = Omit<
  Operation,
  "method" | "path" | "admissions" | "parameters" | "browserHeaders" | "ignoresUnknownQuery"
> & {
  security?: Requirement[];
  parameters?: Parameter[];
  "x-eov-allow-unknown-query-parameters"?: boolean;
};
/** Operations by their methods, and beside them what all of them share. */
type PathItem = Record<string, unknown> & { parameters?: Parameter[] };

const METHODS = new Set(["get", "put", "post", "delete", "patch"]);

function operationsOf(document: OpenApiDocument): Operation[] {
  const paths = follow(document, document.paths) as Record<string, PathItem>;
  const { securitySchemes = {} } = document.components;
  const browserHeaders = lowerCased(document["x-browser-headers"] ?? {});
  return Object.entries(paths).flatMap(([path, { parameters: ofPath = [], ...item }]) =>
    Object.entries(item).flatMap(([method, written]) => {
      if (!METHODS.has(method)) return [];
      const {
        security = document.security ?? [],
        parameters = [],
        responses,
        ...operation
      } = written as WrittenOperation;
      const shared = ofPath.filter(
        (it) => !parameters.some((own) => own.name === it.name && own.in === it.in),
      );
      return {
        ...operation,
        method: method.toUpperCase(),
        path,
        admissions: security.map((requirement) => admissionOf(requirement, securitySchemes)),
        parameters: [...shared, ...parameters],
        browserHeaders,
        ignoresUnknownQuery: operation["x-eov-allow-unknown-query-parameters"] === true,
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, { headers = {}, content = {} }]) => [
            status,
            { headers, content },
          ]),
        ),
      };
    }),
  );
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function admissionOf(requirement: Requirement, schemes: Record<string, SecurityScheme>): Admission {
  const [[name, scopes] = ["", []], ...more] = Object.entries(requirement);
  if (more.length > 0) throw new Error("The contract tests give one credential at a time.");
  const scheme = schemes[name];
  if (scheme?.type === "http" && scheme.scheme === "bearer")
    return { header: "authorization", prefix: "Bearer ", scopes };
  if (scheme?.type === "apiKey" && scheme.in === "header" && scheme.name)
    return { header: scheme.name.toLowerCase(), prefix: "", scopes };
  if (scheme?.type === "apiKey" && scheme.in === "cookie" && scheme.name)
    return { header: "cookie", prefix: `${scheme.name}=`, scopes };
  throw new Error(`The contract tests do not know how a credential is given by ${name}.`);
}

/** Copies a part of the document with its references followed, except those to schemas, which a validator follows. */
function follow(document: object, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((item) => follow(document, item));
  if (typeof part !== "object" || part === null) return part;
  if ("$ref" in part && typeof part.$ref === "string" && !part.$ref.startsWith("#/components/schemas/")) {
    return follow(document, lookUp(document, part.$ref));
  }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, follow(document, value)]));
}

function lookUp(document: object, reference: string): unknown {
  const keys = reference.split("/").slice(1);
  return keys.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document);
}

function checker(schemas: object) {
  const validatorOf = schemaValidators(schemas, { allErrors: true });
  return (what: string, value: unknown, schema: AnySchemaObject): string[] => {
    const validate = validatorOf(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** What is not written in plain digits stays a text, and so is no integer. */
function integerOf(value: string): number | string {
  return /^-?\d+$/.test(value) ? Number(value) : value;
}

/** A body that is no JSON is told apart from every JSON value. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
