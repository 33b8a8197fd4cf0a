import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { type Contract, type InterfaceName, type Operation, openContract } from "../contract.ts";
import { openSchemas, type Schema, type Schemas } from "./schema.ts";

/** A parameter of an operation. */
export interface SpecParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

/** An operation with all that its requests are made from. */
export interface SpecOperation extends Operation {
  /** Below the root of the server, with the base path: `/shop/v1/orders/{id}`. */
  readonly fullPath: string;
  readonly allParameters: readonly SpecParameter[];
  /** The schema of its JSON body; null when it takes none. */
  readonly bodySchema: Schema | null;
  /** The scopes that each way to give a key asks for, by the header that the key is in; empty when it takes none. */
  readonly keyHeaders: readonly { readonly header: KeyHeader; readonly scopes: readonly string[] }[];
}

/** A header that a key may be in. */
export interface KeyHeader {
  readonly name: string;
  /** What stands before the key. */
  readonly prefix: string;
}

/** One interface's document, for making requests from it. */
export interface Spec {
  readonly name: InterfaceName;
  readonly contract: Contract;
  readonly operations: readonly SpecOperation[];
  readonly schemas: Schemas;
  /** The named schemas. */
  readonly named: Readonly<Record<string, Schema>>;
  /** Whether a value fits a schema, as a validator sees it. */
  fits(schema: Schema, value: unknown): boolean;
}

interface Document {
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
}

interface SecurityScheme {
  readonly type: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
}

/** Opens the document of an interface. */
export function openSpec(name: InterfaceName): Spec {
  const file = join(import.meta.dirname, "../../generated", name, "openapi.json");
  const { components }: Document = JSON.parse(readFileSync(file, "utf8"));
  const contract = openContract(name);
  return {
    name,
    contract,
    operations: contract.operations.map((operation) => toSpecOperation(operation, contract, components)),
    schemas: openSchemas(components.schemas),
    named: components.schemas,
    fits: validator(components.schemas),
  };
}

function toSpecOperation(
  operation: Operation,
  { basePath }: Contract,
  { securitySchemes = {} }: Document["components"],
): SpecOperation {
  const { path, requestBody, security } = operation;
  const media = Object.entries(requestBody?.content ?? {});
  const other = media.find(([type]) => type !== "application/json");
  if (other) throw new Error(`The fuzzer makes no bodies of ${other[0]}.`);
  return {
    ...operation,
    fullPath: basePath + path,
    allParameters: (operation.parameters ?? []) as unknown as readonly SpecParameter[],
    bodySchema: (media[0]?.[1].schema as Schema | undefined) ?? null,
    keyHeaders: security.map((way) => {
      const [[scheme, scopes] = ["", []], ...more] = Object.entries(way as Record<string, string[]>);
      if (more.length > 0) throw new Error("The fuzzer gives one key at a time.");
      return { header: keyHeaderOf(scheme, securitySchemes[scheme]), scopes };
    }),
  };
}

function keyHeaderOf(name: string, scheme: SecurityScheme | undefined): KeyHeader {
  if (scheme?.type === "http" && scheme.scheme === "bearer")
    return { name: "authorization", prefix: "Bearer " };
  if (scheme?.type === "apiKey" && scheme.in === "header" && scheme.name)
    return { name: scheme.name, prefix: "" };
  throw new Error(`The fuzzer does not know how a key is given by ${name}.`);
}

function validator(schemas: object): Spec["fits"] {
  const ajv = new Ajv2020({ strictTypes: false, strictRequired: false, allowUnionTypes: true });
  ajvFormats.default(ajv);
  ajv.addVocabulary(["components"]);
  const compiled = new Map<Schema, (value: unknown) => boolean>();
  return (schema, value) => {
    // References look like #/components/schemas/Order, so the schemas go along under that name.
    const fits = compiled.get(schema) ?? ajv.compile({ ...schema, components: { schemas } });
    compiled.set(schema, fits);
    return fits(value);
  };
}
