/** Rules that Redocly's configuration alone cannot express. */
export default function shopRules() {
  return { id: "shop", rules: { oas3: { "closed-objects": ClosedObjects } } };
}

/** Every object schema says that it is one and refuses unknown fields. */
function ClosedObjects() {
  return {
    Schema(schema, { report, location }) {
      const isObject = [schema.type].flat().includes("object");
      if (isObject && schema.additionalProperties !== false) {
        report({
          message: "An object schema needs `additionalProperties: false`.",
          location: location.key(),
        });
      } else if (schema.properties && !isObject) {
        report({ message: "A schema with `properties` needs `type: object`.", location: location.key() });
      }
    },
  };
}
