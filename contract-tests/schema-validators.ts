import { Ajv2020, type AnySchemaObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";

/** What the named schemas of a document are called together, where other schemas refer to them. */
const DOCUMENT = "document";

/**
 * Makes what compiles the schemas of a document. Compiling takes milliseconds: each of the named ones is compiled once, and what
 * says the same once as well.
 * @param named what references such as `#/components/schemas/Order` lead to
 */
export function schemaValidators(
  named: object,
  options: Options = {},
): (schema: AnySchemaObject) => ValidateFunction {
  const ajv = new Ajv2020({ strictTypes: false, strictRequired: false, allowUnionTypes: true, ...options });
  ajvFormats.default(ajv);
  ajv.addVocabulary(["components"]);
  ajv.addSchema({ $id: DOCUMENT, components: { schemas: named } });
  const bySchema = new WeakMap<AnySchemaObject, ValidateFunction>();
  const byText = new Map<string, ValidateFunction>();
  return (schema) => {
    const known = bySchema.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`);
    const validate = byText.get(text) ?? ajv.compile(JSON.parse(text));
    bySchema.set(schema, validate);
    byText.set(text, validate);
    return validate;
  };
}
