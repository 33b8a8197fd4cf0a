/** What to do about a problem, by the rule that it breaks; for the rules that an edit of spec/ breaks most. */
const ADVICE: Readonly<Record<string, string>> = {
  "component-name-unique":
    "Give one of the two parts another file name; the names of parts are unique per interface.",
  "file-without-reference": "Refer to it with $ref from a path, a schema or a response, or remove the file.",
  "media-type-has-named-examples":
    "Give the body a `schema`, and under `examples` at least one named example.",
  "mock-port": "Give `x-mock-port` of openapi.yaml a port that no other interface's mock has.",
  "no-ambiguous-paths": "Change one of the paths so that no request fits both.",
  "no-identical-paths": "Change one of the paths: they differ only in the names of parameters.",
  "no-illogical-composition-keywords":
    "Use oneOf, anyOf and allOf with two alternatives or more that differ.",
  "no-invalid-media-type-examples":
    "Change the example so that it fits the schema, or the schema so that it allows it.",
  "no-invalid-parameter-examples": "Change the example so that it fits the parameter's schema.",
  "no-invalid-schema-examples": "Change the example so that it fits the schema that it is in.",
  "no-mixed-number-range-constraints":
    "Keep one of `minimum` and `exclusiveMinimum`, and one of the two maxima.",
  "no-required-schema-properties-undefined":
    "Describe the field under `properties`, or take it out of `required`.",
  "no-unresolved-refs":
    "Mend the path of the $ref (it is relative to this file), or the YAML of the file that it names; look at the indentation.",
  "no-unused-components": "Use the part somewhere, or remove it.",
  "operation-2xx-response": "Describe the answer to a request that succeeds.",
  "operation-4xx-response":
    "Describe at least one answer to a request that is refused; responses/ has shared ones.",
  "operation-description":
    "Add a `description` that says what the operation does, for whom, and what to watch.",
  "operation-is-secured":
    "Add `security` with the scheme and the scopes that the operation needs; `security: []` opens it to everybody.",
  "operation-operationId":
    "Add an `operationId`, verb and noun, such as listProducts: the handler's file is named after it.",
  "operation-operationId-unique": "Give one of the two operations another `operationId`.",
  "operation-singular-tag": "Keep exactly one tag.",
  "operation-summary": "Add a `summary`: a few words for the list of operations.",
  "operation-tag-defined": "Use a tag that openapi.yaml lists under `tags`, or add it there.",
  "parameter-description": "Add a `description` to the parameter.",
  "path-parameters-defined":
    "Describe the parameter of the path under `parameters`, or take its braces out of the path.",
  "paths-kebab-case": "Write the path in lower case with hyphens.",
  "busy-says-when-to-retry": "Add the header: `Retry-After: { $ref: ../headers/Retry-After.yaml }`.",
  "response-contains-header": "Add the header: `X-Request-Id: { $ref: ../headers/X-Request-Id.yaml }`.",
  "closed-objects":
    "Add `type: object` and `additionalProperties: false`; where unknown fields must pass, say why in spec/.redocly.lint-ignore.yaml.",
  "guide-steps":
    "Name an operationId under `x-guide.steps` whose operation has `x-codeSamples`, or take the step out.",
  "deprecations-are-told":
    'Begin its description with "Deprecated:", what to use instead, and until which version it is there; say it in CHANGELOG.md.',
  "anchored-patterns":
    "Begin the pattern with `^` and end it with `$`: validators look for it anywhere in a text.",
  "distinct-descriptions":
    "Say what this is: one of the two descriptions was copied from the other, and says nothing of its own place.",
  "enums-are-told-whole":
    "Name every value of the enum in the description, as it is written in `enum`, or none of them.",
  "fields-are-told":
    "Say in a `description` what the field is, in which unit, and when it is missing or null; or refer to a schema that does.",
  "known-formats":
    "Use a format of the list in spec/lint-rules.js, or a `pattern`; a new format has to be known to validators and generators.",
  "names-and-units-agree":
    "Refer to the schema of the unit that the name says, or end the name with its unit, as `amountMicrocents` does.",
  "no-read-only-fields": "Give request and answer a schema of their own, each with the fields that it has.",
  "one-tag-for-a-path": "Give all operations of the path the same tag, under which readers look for them.",
  "opposites-are-not-told": "Look at the neighbouring field: the description says the opposite of the name.",
  "required-has-no-default":
    "Take the field out of `required` where it may be left out, else take the default away.",
  "samples-in-their-language":
    "Refer to the sample that is named after the operation, in the language of `lang`.",
  "tags-are-used": "Give the tag to an operation, or take it out of openapi.yaml.",
  "words-and-limits-agree":
    "Say the number that the schema has, or leave it to the schema: the documentation shows limits and defaults by itself.",
  "distinct-example-summaries": "Say in the summary what is special of this example.",
  "summaries-fit-methods": "Say in the summary what this operation does; it was copied from another.",
  "distinct-summaries": "Say in each of the two summaries what this operation does and the other does not.",
  "enums-without-null":
    "Take null out of the enum, and say at the property: `anyOf: [{ $ref: … }, { type: 'null' }]`.",
  "input-may-be-refused":
    "Describe what is answered when it is wrong: `'400': { $ref: ../responses/InvalidInput.yaml }`.",
  "integers-have-width": "Add `format: int64`; where limits keep it within 32 bits, `format: int32`.",
  "named-schemas": "Give the schema a file of its own in schemas/, and refer to it with $ref.",
  "no-bearer-format": "Remove `bearerFormat`, and say in the description what keys look like.",
  "paired-examples": "Give the example of the request and that of the answer to it the same name.",
  "times-have-bounds":
    "Refer to UnixSeconds.yaml, or add the maximum: a time in milliseconds is above it, and does not pass for one in seconds.",
  struct:
    "Mind the spelling and the indentation: OpenAPI 3.1 has no such keyword here, or needs one that is missing.",
  "tag-description": "Add a `description` to the tag.",
};

/**
 * Says how to mend a problem.
 * @param rule as the tool names it, with or without its plugin
 * @param message what the tool says of the problem
 * @param suggestions names that may have been meant
 */
export function adviceFor(rule: string, message = "", suggestions: readonly string[] = []): string {
  if (suggestions.length > 0) return `Did you mean ${suggestions.map((name) => `\`${name}\``).join(" or ")}?`;
  const known = ADVICE[rule.replace(/^[a-z]+\//, "")];
  if (known !== undefined) return known;
  const example = / example/i.test(message) ? " Look at how the neighbouring examples are written." : "";
  return `Change it so that the rule ${rule} holds; spec/redocly.yaml lists the rules.${example}`;
}
