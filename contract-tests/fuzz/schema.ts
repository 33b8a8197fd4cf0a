/** A JSON Schema as the documents use it; {@link Schemas.plain} fails on every other keyword. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export type JsonType = "string" | "integer" | "number" | "boolean" | "null" | "object" | "array";

const UNDERSTOOD = new Set(
  "type enum const minimum maximum minLength maxLength pattern format items minItems maxItems minProperties properties required additionalProperties anyOf oneOf".split(
    " ",
  ),
);
const ANNOTATIONS = new Set("title description default example examples deprecated".split(" "));
/** Said of texts that may be anything else. They count as texts without a pattern, for which a NUL is a violation anyway. */
const NO_NUL = "^[^\\x00]*$";
const FORMATS = new Set(["uri", "date-time", "int32", "int64"]);
const REFERENCE = "#/components/schemas/";

/** The named schemas of a document. */
export interface Schemas {
  /** The schema itself, with references followed. @throws when it has a keyword that this module does not know. */
  plain(schema: Schema): PlainSchema;
}

/** A schema without a reference at its top. */
export interface PlainSchema extends Omit<Schema, "$ref" | "type"> {
  /** What it is called, when it is a named one. */
  readonly name: string | null;
  /** All types that it allows; empty when it does not say. */
  readonly types: readonly JsonType[];
}

/** Opens the schemas of a document. */
export function openSchemas(named: Readonly<Record<string, Schema>>): Schemas {
  return {
    plain(schema) {
      const name = schema.$ref?.startsWith(REFERENCE) ? schema.$ref.slice(REFERENCE.length) : null;
      if (schema.$ref !== undefined && name === null)
        throw new Error(`The fuzzer cannot follow ${schema.$ref}.`);
      if (name !== null && Object.keys(schema).some((key) => key !== "$ref" && !ANNOTATIONS.has(key)))
        throw new Error(`The fuzzer does not understand keywords beside the reference to ${name}.`);
      const found = name === null ? schema : named[name];
      if (found === undefined) throw new Error(`There is no schema ${name}.`);
      if (name !== null && found.$ref !== undefined) return this.plain(found);
      refuseUnknownKeywords(found, name ?? "a schema without a name");
      const { type = [], pattern, ...rest } = found;
      const own = pattern === undefined || pattern === NO_NUL ? {} : { pattern };
      return {
        ...rest,
        ...own,
        name,
        types: typeof type === "string" ? [type] : (type as readonly JsonType[]),
      };
    },
  };
}

function refuseUnknownKeywords(schema: Schema, name: string): void {
  for (const keyword of Object.keys(schema)) {
    if (!UNDERSTOOD.has(keyword) && !ANNOTATIONS.has(keyword) && !keyword.startsWith("x-"))
      throw new Error(`The fuzzer does not understand the keyword ${keyword} of ${name}.`);
  }
  if (schema.format !== undefined && !FORMATS.has(schema.format))
    throw new Error(`The fuzzer does not understand the format ${schema.format} of ${name}.`);
  const alternatives = schema.anyOf ?? schema.oneOf;
  const others = Object.keys(schema).filter((key) => key !== "anyOf" && UNDERSTOOD.has(key));
  if (alternatives !== undefined && others.length > (schema.oneOf ? 1 : 0))
    throw new Error(
      `The fuzzer does not understand ${others.join(", ")} beside the alternatives of ${name}.`,
    );
}
