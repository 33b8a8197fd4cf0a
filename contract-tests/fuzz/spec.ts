import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Contract, type Operation, openContract, type Parameter } from "../contract.ts";
import { schemaValidators } from "../schema-validators.ts";
import { openSchemas, type Schema, type Schemas } from "./schema.ts";

/** A parameter of an operation. */
export interface SpecParameter extends Omit<Parameter, "schema"> {
  readonly schema: Schema;
}

/** An operation with all that its requests are made from. */
export interface SpecOperation extends Operation {
  /** Below the root of the server, with the base path: `/shop/v1/orders/{id}`. */
  readonly fullPath: string;
  readonly allParameters: readonly SpecParameter[];
  /** Its body; null when it takes none. */
  readonly body: SpecBody | null;
}

/** What a body has to be. */
export interface SpecBody {
  /** JSON, or a kind of text. */
  readonly mediaType: string;
  readonly schema: Schema;
}

/** One interface's document, for making requests from it. */
export interface Spec {
  readonly name: string;
  readonly contract: Contract;
  readonly operations: readonly SpecOperation[];
  readonly schemas: Schemas;
  /** The named schemas. */
  readonly named: Readonly<Record<string, Schema>>;
  /** Whether a value fits a schema, as a validator sees it. */
  fits(schema: Schema, value: unknown): boolean;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Opens the document of an interface. */
export function openSpec(name: string): Spec {
  const file = join(import.meta.dirname, "../../generated", name, "openapi-strict.json");
  const { components }: Document = JSON.parse(readFileSync(file, "utf8"));
  const contract = openContract(name);
  const validatorOf = schemaValidators(components.schemas);
  return {
    name,
    contract,
    operations: contract.operations.map((operation) => toSpecOperation(operation, contract)),
    schemas: openSchemas(components.schemas),
    named: components.schemas,
    fits: (schema, value) => validatorOf(schema)(value),
  };
}

function toSpecOperation(operation: Operation, { basePath }: Contract): SpecOperation {
  const { path, requestBody } = operation;
  const [media, ...others] = Object.entries(requestBody?.content ?? {});
  if (others.length > 0) throw new Error(`The fuzzer makes bodies of one type, and ${path} takes more.`);
  if (media && !/^(application\/json|text\/[a-z-]+)$/.test(media[0]))
    throw new Error(`The fuzzer makes no bodies of ${media[0]}.`);
  return {
    ...operation,
    fullPath: basePath + path,
    allParameters: operation.parameters as unknown as readonly SpecParameter[],
    body: media ? { mediaType: media[0], schema: media[1].schema as Schema } : null,
  };
}
