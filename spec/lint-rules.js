/** Rules that Redocly's configuration alone cannot express. */
export default function shopRules() {
  return { id: 'shop', rules: { oas3: { 'closed-objects': ClosedObjects } } };
}

/** Every object schema refuses unknown fields; only a part of an allOf may leave that to the whole. */
function ClosedObjects() {
  return {
    Schema(schema, { report, location }) {
      const isObject = [schema.type].flat().includes('object');
      const isPart = /\/allOf\/\d+$/.test(location.pointer);
      if (isObject && schema.additionalProperties !== false) {
        report({ message: 'An object schema needs `additionalProperties: false`.', location: location.key() });
      } else if (schema.properties && !isObject && !isPart) {
        report({ message: 'A schema with `properties` needs `type: object`.', location: location.key() });
      }
    },
  };
}
