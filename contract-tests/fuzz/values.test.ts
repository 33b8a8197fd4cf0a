import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INTERFACES } from "../contract.ts";
import { openSchemas, type Schema } from "./schema.ts";
import { openSpec } from "./spec.ts";
import { type ValueOptions, valuesOf } from "./values.ts";
import { violationsOf } from "./violations.ts";

const RUNS = { numRuns: 30 };
const noNames: ValueOptions = { schemas: openSchemas({}), text: "plain", known: {} };

describe.each(INTERFACES)("the schemas of %s", (name) => {
  const spec = openSpec(name);
  const options: ValueOptions = { schemas: spec.schemas, text: "plain", known: {} };

  test.each(Object.keys(spec.named))("%s: values fit, and violations do not", (schemaName) => {
    const schema = { $ref: `#/components/schemas/${schemaName}` };
    fc.assert(
      fc.property(valuesOf(schema, options), (value) => spec.fits(schema, value)),
      RUNS,
    );
    for (const { place, what, values, bySchema } of violationsOf(schema, options)) {
      // Whether a text is plain is no matter of the schema.
      if (!bySchema) continue;
      const broken = fc.check(
        fc.property(values, (value) => !spec.fits(schema, value)),
        RUNS,
      );
      expect(broken.failed, `${place} ${what}: ${JSON.stringify(broken.counterexample)}`).toBe(false);
    }
  });
});

describe("violations", () => {
  const kinds = (schema: Schema) =>
    violationsOf(schema, noNames).map(({ place, what }) => (place === "" ? what : `${place}: ${what}`));

  test.each<[string, Schema, string[]]>([
    [
      "a whole number",
      { type: "integer", minimum: 1 },
      ["another type", "below the minimum", "no whole number"],
    ],
    [
      "a text",
      { type: "string", minLength: 1, pattern: "^a" },
      ["another type", "too short", "not as the pattern says"],
    ],
    ["a choice", { type: "string", enum: ["a"] }, ["another type", "another value"]],
    [
      "a list",
      { type: "array", minItems: 1, items: { type: "boolean" } },
      ["another type", "too few items", "/*: another type"],
    ],
    [
      "a closed object",
      {
        type: "object",
        additionalProperties: false,
        required: ["a"],
        properties: { a: { type: "boolean" } },
      },
      ["another type", "/a: missing", "/a: another type", "a field that the schema lacks"],
    ],
  ])("of %s", (_name, schema, expected) => {
    expect(kinds(schema)).toEqual(expected);
  });
});

test.each([
  [{ type: "string", not: {} }, "the keyword not of"],
  [{ type: "integer", multipleOf: 2 }, "the keyword multipleOf of"],
  [{ type: "string", format: "email" }, "the format email of"],
  [{ type: "object", anyOf: [{ type: "object" }] }, "type beside the alternatives of"],
] as unknown as [Schema, string][])("%j is refused by name", (schema, words) => {
  expect(() => valuesOf(schema, noNames)).toThrow(words);
  expect(() => valuesOf({ type: "array", items: schema }, noNames)).toThrow(words);
});
