import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";

/** An operation of a document; references to parameters, responses, headers and examples are followed. */
export interface Operation {
  operationId: string;
  /** In capital letters. */
  method: string;
  /** The path template, for example `/orders/{id}`. */
  path: string;
  security: object[];
  parameters?: { name: string; in: "path" | "query" | "header"; example?: string | number }[];
  requestBody?: { content: Record<string, MediaType> };
  /** By status. */
  responses: Record<string, DocumentedResponse>;
}

interface DocumentedResponse {
  headers: Record<string, { required?: boolean; schema: AnySchemaObject }>;
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

/** The interfaces that have a contract: the folders of generated/. */
export const INTERFACES = ["ordering", "proxy"] as const;
export type InterfaceName = (typeof INTERFACES)[number];

/** The contract of one interface: the bundled OpenAPI 3.1 document and nothing weaker. */
export interface Contract {
  /** The path of the base URL, for example `/shop/v1`; empty where it is the root. */
  basePath: string;
  operations: Operation[];
  /** Every way in which an answer breaks the contract; empty when it keeps to it. */
  faultsOf(operation: Operation, answer: Answer): string[];
}

/** Opens the contract of an interface. */
export function openContract(name: InterfaceName): Contract {
  const file = join(import.meta.dirname, "../generated", name, "openapi.json");
  const document: OpenApiDocument = JSON.parse(readFileSync(file, "utf8"));
  const faultsIn = checker(document.components.schemas);
  return {
    basePath: document.servers[0].url.replace(/\/$/, ""),
    operations: operationsOf(document),
    faultsOf({ operationId, responses }, { status, headers, body }) {
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
      const contentType = documentedType(headers["content-type"] ?? "none");
      const media = response.content[contentType];
      if (!media) return [...headerFaults, `content type ${contentType} is not documented`];
      const value = contentType === "application/json" ? parse(body) : body;
      return [...headerFaults, ...faultsIn("body", value, media.schema)];
    },
  };
}

/** A stream's type comes as the upstream writes it, often with its charset, which is UTF-8 for all event streams. */
export function documentedType(contentType: string): string {
  return contentType.replace(/^(text\/event-stream); *charset=utf-8$/i, "$1");
}

interface OpenApiDocument {
  servers: [{ url: string }];
  paths: object;
  components: { schemas: object };
}

function operationsOf(document: OpenApiDocument): Operation[] {
  const paths = follow(document, document.paths) as Record<string, Record<string, Operation>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, { headers = {}, content = {} }]) => [
          status,
          { headers, content },
        ]),
      ),
    })),
  );
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
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
  });
  ajvFormats.default(ajv);
  ajv.addVocabulary(["components"]);
  const validators = new Map<AnySchemaObject, ValidateFunction>();
  return (what: string, value: unknown, schema: AnySchemaObject): string[] => {
    // References look like #/components/schemas/Order, so the schemas go along under that name.
    const validate = validators.get(schema) ?? ajv.compile({ ...schema, components: { schemas } });
    validators.set(schema, validate);
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
